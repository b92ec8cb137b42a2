package io.packhorse.schema.uid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UidWidthsTest {
  @Test
  void holdsAWidthForEachKind() {
    UidWidths widths = new UidWidths(1, 4, 8);
    assertEquals(1, widths.of(UidKind.METRIC));
    assertEquals(4, widths.of(UidKind.TAGK));
    assertEquals(8, widths.of(UidKind.TAGV));
    assertEquals(new UidWidths(3, 3, 3), UidWidths.DEFAULT);
  }

  @Test
  void rejectsWidthsThatOpenTsdbRejects() {
    assertThrows(IllegalArgumentException.class, () -> new UidWidths(0, 3, 3));
    assertThrows(IllegalArgumentException.class, () -> new UidWidths(3, 9, 3));
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> new UidWidths(3, 3, -1));
    assertEquals("UID width must be 1 to 8 bytes: kind=tagv, width=-1", thrown.getMessage());
  }

  @Test
  void namesTheColumnOfEachKind() {
    assertEquals("metrics", UidKind.METRIC.qualifier());
    assertEquals("tagk", UidKind.TAGK.qualifier());
    assertArrayEquals("tagv".getBytes(StandardCharsets.US_ASCII), UidKind.TAGV.qualifierBytes());
  }
}
