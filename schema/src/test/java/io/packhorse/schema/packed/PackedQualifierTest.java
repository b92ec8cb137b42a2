package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackedQualifierTest {
  @Test
  void storesPrefixLoaderIdAndPart() {
    byte[] bytes = new PackedQualifier(0x0a0b0c, 7).toBytes();
    assertArrayEquals(HexFormat.of().parseHex("a10a0b0c07"), bytes);
    assertEquals(new PackedQualifier(0x0a0b0c, 7), PackedQualifier.parse(bytes));
  }

  @Test
  void bytesOrderAsLoaderIdThenPart() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 10_000; i++) {
      PackedQualifier a = any(random);
      PackedQualifier b =
          random.nextBoolean()
              ? any(random)
              : new PackedQualifier(a.loaderId(), random.nextInt(256));
      assertEquals(
          Integer.signum(a.compareTo(b)),
          Integer.signum(Arrays.compareUnsigned(a.toBytes(), b.toBytes())),
          a + " and " + b);
    }
  }

  @Test
  void knowsItsOwnAmongOtherColumns() {
    assertTrue(PackedQualifier.matches(HexFormat.of().parseHex("a100000100")));
    for (String other :
        new String[] {"", "a1", "a1000001", "a10000010000", "0500000000", "f100000100"}) {
      assertFalse(PackedQualifier.matches(HexFormat.of().parseHex(other)), other);
    }
  }

  @Test
  void refusesWhatNoLoaderHas() {
    assertThrows(IllegalArgumentException.class, () -> new PackedQualifier(0, 0));
    assertThrows(IllegalArgumentException.class, () -> new PackedQualifier(1 << 24, 0));
    assertThrows(IllegalArgumentException.class, () -> new PackedQualifier(1, -1));
    assertThrows(IllegalArgumentException.class, () -> new PackedQualifier(1, 256));
    byte[] noLoader = HexFormat.of().parseHex("a100000000");
    assertThrows(IllegalArgumentException.class, () -> PackedQualifier.parse(noLoader));
    byte[] foreign = HexFormat.of().parseHex("0000");
    assertThrows(IllegalArgumentException.class, () -> PackedQualifier.parse(foreign));
  }

  private static PackedQualifier any(SplittableRandom random) {
    return new PackedQualifier(
        1 + random.nextInt(PackedQualifier.MAX_LOADER_ID), random.nextInt(256));
  }
}
