package net.opentsdb.tsd;

import org.jspecify.annotations.NullMarked;

/** The maximum number of names in one answer. */
@NullMarked
final class Suggestions {
  /** The answer is built in memory. */
  static final int MAX = 10_000;

  private Suggestions() {}

  /** The requested number, but at most {@link #MAX}. */
  static int atMost(int asked) {
    return Math.min(asked, MAX);
  }
}
