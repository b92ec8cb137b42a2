package io.packhorse.loader.read;

import java.util.Arrays;
import java.util.Optional;

/**
 * Row keys that lie beside each other.
 *
 * @param start first key; empty for the beginning of the table
 * @param stop key after the last; empty for the end of the table
 */
public record KeyRange(byte[] start, byte[] stop) {
  /** The keys that are in another range as well, if there can be any. */
  public Optional<KeyRange> intersect(KeyRange other) {
    byte[] from = Arrays.compareUnsigned(start, other.start) >= 0 ? start : other.start;
    byte[] to = stop;
    if (stop.length == 0
        || (other.stop.length > 0 && Arrays.compareUnsigned(other.stop, stop) < 0)) {
      to = other.stop;
    }
    return to.length > 0 && Arrays.compareUnsigned(from, to) >= 0
        ? Optional.empty()
        : Optional.of(new KeyRange(from, to));
  }
}
