package net.opentsdb.tsd;

import org.jspecify.annotations.NullMarked;

/** What the holder of a token may do; each role includes those before it. */
@NullMarked
enum Role {
  READ,
  WRITE,
  ADMIN;

  /** Whether this role may do what another one is needed for. */
  boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }
}
