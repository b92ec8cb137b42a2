package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class ScratchTest {
  @Test
  void arraysThatAreLongEnoughAreKept() {
    byte[] bytes = new byte[3];
    assertSame(bytes, Scratch.bytes(bytes, 3));
    assertEquals(4, Scratch.bytes(bytes, 4).length);
    int[] ints = new int[3];
    assertSame(ints, Scratch.ints(ints, 3));
    assertEquals(4, Scratch.ints(ints, 4).length);
    long[] longs = new long[3];
    assertSame(longs, Scratch.longs(longs, 3));
    assertEquals(4, Scratch.longs(longs, 4).length);
  }
}
