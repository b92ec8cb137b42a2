package io.packhorse.schema.packed;

/** The one choice a writer of packed cells has: what bytes may cost in time. */
public enum Effort {
  /** Forms that unpack at about a nanosecond a point. */
  FAST,
  /** Entropy coding and DEFLATE as well, where shorter: a few nanoseconds a point to unpack. */
  COMPACT
}
