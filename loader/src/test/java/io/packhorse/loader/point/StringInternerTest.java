package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class StringInternerTest {
  private final StringInterner words = new StringInterner();

  @Test
  void equalWordsAreOneObject() {
    String first = words.intern(word("host"));
    words.intern(word("web01"));
    assertSame(first, words.intern(word("host")));
  }

  @Test
  void aWordStaysItselfHoweverManyComeBetween() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 100_000; i++) {
        assertEquals("w" + i, words.intern("w" + i));
      }
    }
  }

  /** A new object each time. */
  private static String word(String text) {
    return String.valueOf(text.toCharArray());
  }
}
