package io.packhorse.loader.load;

import io.packhorse.loader.pack.RepeatedTime;
import java.util.Optional;

/**
 * Points of a load that have the time of others of the same series, but lie in cells that were
 * sealed apart, so that the packer has counted both.
 *
 * @param points of such pairs one
 * @param exact false if there may be more
 * @param first one of them, if it is known
 */
record Repeats(long points, boolean exact, Optional<RepeatedTime> first) {
  static final Repeats NONE = new Repeats(0, true, Optional.empty());
  static final Repeats UNKNOWN = new Repeats(0, false, Optional.empty());
}
