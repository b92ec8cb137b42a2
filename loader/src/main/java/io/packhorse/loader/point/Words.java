package io.packhorse.loader.point;

import org.jspecify.annotations.Nullable;

/**
 * Words met last, so that equal ones are one object: names come again and again. Each overwrites
 * the one of its hash, so it never grows. One thread.
 */
public final class Words {
  private static final int KEPT = 1 << 13;

  private final @Nullable String[] recent = new String[KEPT];

  /** An equal word met before, or this one. */
  public String shared(String word) {
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
