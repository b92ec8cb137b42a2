package io.packhorse.schema.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidWidths;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TsuidTest {
  private static final UidWidths SMALL = new UidWidths(1, 2, 1);

  private static Tsuid parse(String hex) throws MalformedCellException {
    return Tsuid.parse(SMALL, HexFormat.of().parseHex(hex));
  }

  private static void rejects(int offset, String hex) {
    MalformedCellException thrown =
        assertThrows(MalformedCellException.class, () -> parse(hex), hex);
    assertEquals(offset, thrown.offset(), thrown.getMessage());
  }

  @Test
  void sortsTagsByTheirTagkUid() {
    Tsuid tsuid = Tsuid.of(SMALL, 10, 0xff00, 1, 5, 255, 0x100, 3);
    assertEquals("0A" + "0005FF" + "010003" + "FF0001", tsuid.toString());
    assertEquals(tsuid, Tsuid.of(SMALL, 10, 5, 255, 0x100, 3, 0xff00, 1));
    assertEquals(10, tsuid.length());
  }

  @Test
  void rejectsTagsThatAreNoPairs() {
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 10));
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 10, 1));
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 10, 1, 2, 3));
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 10, 7, 1, 300, 1, 7, 2));
    assertEquals("series must have each tagk once: tagk=7", thrown.getMessage());
  }

  @Test
  void rejectsUidsOutsideTheirWidth() {
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 256, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 1, 5, 1, -1, 1));
    assertThrows(IllegalArgumentException.class, () -> Tsuid.of(SMALL, 1, 1, 256));
  }

  @Test
  void readsWhatItWrote() throws MalformedCellException {
    Tsuid tsuid = parse("0A0005FF010003");
    assertEquals(Tsuid.of(SMALL, 10, 5, 255, 256, 3), tsuid);
    assertArrayEquals(new byte[] {10, 0, 5, -1, 1, 0, 3}, tsuid.toBytes());
    Tsuid widest = Tsuid.of(new UidWidths(8, 8, 8), Long.MAX_VALUE, Long.MAX_VALUE, 1, 2, 3);
    assertEquals(widest, Tsuid.parse(new UidWidths(8, 8, 8), widest.toBytes()));
  }

  @Test
  void rejectsBytesThatAreNoSeries() {
    rejects(0, "");
    rejects(0, "0A");
    rejects(0, "0A0005");
    rejects(0, "0A0005FF01");
    rejects(0, "000005FF");
    rejects(1, "0A0000FF");
    rejects(3, "0A000500");
    rejects(4, "0A0005FF000401");
    rejects(4, "0A0005FF0005FE");
    rejects(6, "0A0005FF000600");
  }

  @Test
  void sharesNoArrayWithItsCaller() throws MalformedCellException {
    byte[] bytes = {10, 0, 5, 1};
    Tsuid tsuid = Tsuid.parse(SMALL, bytes);
    bytes[0] = 99;
    tsuid.toBytes()[1] = 99;
    assertEquals("0A000501", tsuid.toString());
    assertNotSame(tsuid.toBytes(), tsuid.toBytes());
  }

  @Test
  void comparesAsUnsignedBytes() {
    Tsuid low = Tsuid.of(SMALL, 0x7f, 1, 1);
    Tsuid high = Tsuid.of(SMALL, 0x80, 1, 1);
    Tsuid longer = Tsuid.of(SMALL, 0x7f, 1, 1, 2, 1);
    assertTrue(low.compareTo(high) < 0);
    assertTrue(high.compareTo(low) > 0);
    assertTrue(low.compareTo(longer) < 0);
    assertEquals(0, low.compareTo(Tsuid.of(SMALL, 0x7f, 1, 1)));
    assertEquals(low.hashCode(), Tsuid.of(SMALL, 0x7f, 1, 1).hashCode());
    assertNotEquals(low, high);
    assertNotEquals(low, (Object) "7F000101");
  }
}
