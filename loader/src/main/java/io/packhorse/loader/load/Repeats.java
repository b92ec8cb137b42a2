package io.packhorse.loader.load;

import io.packhorse.loader.pack.RepeatedTime;
import java.util.Optional;

/**
 * Points that the packer counted more than once: cells of one hour that were sealed separately
 * contain the same series and time.
 *
 * @param points to subtract from the packer's count
 * @param exact whether the count is exact; if false, it is a lower bound
 * @param first series and time of the first such point, if known
 */
record Repeats(long points, boolean exact, Optional<RepeatedTime> first) {
  static final Repeats NONE = new Repeats(0, true, Optional.empty());
  static final Repeats UNKNOWN = new Repeats(0, false, Optional.empty());
}
