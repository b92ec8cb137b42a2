package io.packhorse.schema.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SaltFunctionTest {
  @Test
  void hasOneBucketWithoutSalt() {
    assertEquals(SaltFunction.NONE, new SaltFunction(0, 20));
    assertEquals(1, SaltFunction.NONE.buckets());
  }

  @Test
  void rejectsSettingsThatNoTableCanHave() {
    assertThrows(IllegalArgumentException.class, () -> new SaltFunction(-1, 4));
    assertThrows(IllegalArgumentException.class, () -> new SaltFunction(9, 4));
    assertThrows(IllegalArgumentException.class, () -> new SaltFunction(1, 0));
    assertThrows(IllegalArgumentException.class, () -> new SaltFunction(0, 0));
  }

  @Test
  void rejectsMoreBucketsThanTheWidthTellsApart() {
    assertEquals(256, new SaltFunction(1, 256).buckets());
    assertEquals(65536, new SaltFunction(2, 65536).buckets());
    assertEquals(1 << 24, new SaltFunction(3, 1 << 24).buckets());
    assertEquals(Integer.MAX_VALUE, new SaltFunction(4, Integer.MAX_VALUE).buckets());
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> new SaltFunction(1, 257));
    assertEquals(
        "salt buckets must fit in the salt's width: buckets=257, width=1", thrown.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new SaltFunction(3, (1 << 24) + 1));
  }
}
