package io.packhorse.loader.point;

import org.jspecify.annotations.Nullable;

/**
 * Returns one object for equal strings, because names repeat. A fixed number of slots: a string
 * replaces the one with its hash, so that memory is bounded. One thread.
 */
public final class StringInterner {
  private static final int KEPT = 1 << 13;

  private final @Nullable String[] recent = new String[KEPT];

  /** An equal string seen before, or this one. */
  public String intern(String word) {
    int hash = word.hashCode() * 0x9e3779b9;
    int slot = hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(KEPT));
    String known = recent[slot];
    if (known != null && known.equals(word)) {
      return known;
    }
    recent[slot] = word;
    return word;
  }
}
