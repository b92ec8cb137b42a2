package net.opentsdb.tsd;

import org.jspecify.annotations.NullMarked;

/** How many names a request may ask for at once. */
@NullMarked
final class Suggestions {
  /** The answer is built in memory. */
  static final int MAX = 10_000;

  private Suggestions() {}

  /** The number asked for, lowered to the largest there is. */
  static int atMost(int asked) {
    return Math.min(asked, MAX);
  }
}
