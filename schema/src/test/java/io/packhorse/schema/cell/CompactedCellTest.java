package io.packhorse.schema.cell;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class CompactedCellTest {
  private static final HexFormat HEX = HexFormat.of();

  private static PointBlock decode(String qualifier, String value) throws MalformedCellException {
    PointBlock block = new PointBlock(0);
    block.addLong(5, 5);
    CompactedCell.decode(HEX.parseHex(qualifier), HEX.parseHex(value), block);
    return block;
  }

  private static void rejects(int offset, String words, String qualifier, String value) {
    PointBlock block = new PointBlock();
    block.addLong(5, 5);
    MalformedCellException thrown =
        assertThrows(
            MalformedCellException.class,
            () -> CompactedCell.decode(HEX.parseHex(qualifier), HEX.parseHex(value), block));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(message.contains(words), message);
    assertEquals(offset, thrown.offset(), message);
    assertEquals(0, block.count(), "a malformed column leaves no points");
  }

  private static PointBlock longs(int... offsetsAndValues) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      block.addLong(offsetsAndValues[i], offsetsAndValues[i + 1]);
    }
    return block;
  }

  private static void encodesTo(String qualifier, String value, PointBlock block)
      throws MalformedCellException {
    ByteWriter qualifiers = new ByteWriter(0);
    ByteWriter values = new ByteWriter(0);
    CompactedCell.encode(block, qualifiers, values);
    assertEquals(qualifier, HEX.formatHex(qualifiers.toByteArray()));
    assertEquals(value, HEX.formatHex(values.toByteArray()));
    assertEquals(block, decode(qualifier, value));
  }

  @Test
  void storesOnePointAsAPlainColumn() throws MalformedCellException {
    encodesTo("0010", "2a", longs(1000, 42));
    encodesTo("f000fa40", "2a", longs(1001, 42));
    encodesTo("e0f1", "ff7f", longs(3_599_000, -129));
  }

  @Test
  void marksAMixOfSecondsAndMilliseconds() throws MalformedCellException {
    encodesTo("00000010", "010200", longs(0, 1, 1000, 2));
    encodesTo("f0000040f0000080", "010200", longs(1, 1, 2, 2));
    encodesTo("0000f0000080", "010201", longs(0, 1, 2, 2));
    encodesTo("f00000800010", "010201", longs(2, 1, 1000, 2));
  }

  @Test
  void storesIntegersInTheLeastLength() throws MalformedCellException {
    encodesTo("00000010", "7f8000", longs(0, 127, 1000, -128));
    encodesTo("00010011", "0080ff7f00", longs(0, 128, 1000, -129));
    encodesTo("00010011", "7fff800000", longs(0, 32_767, 1000, -32_768));
    encodesTo("00030013", "00008000ffff7fff00", longs(0, 32_768, 1000, -32_769));
    PointBlock wide = new PointBlock();
    wide.addLong(0, Integer.MAX_VALUE);
    wide.addLong(1000, Integer.MIN_VALUE);
    wide.addLong(2000, 1L + Integer.MAX_VALUE);
    wide.addLong(3000, Long.MIN_VALUE);
    encodesTo(
        "0003001300270037",
        "7fffffff80000000" + "0000000080000000" + "8000000000000000" + "00",
        wide);
  }

  @Test
  void storesDoublesInFourBytesOnlyWhereExact() throws MalformedCellException {
    PointBlock block = new PointBlock();
    block.addDouble(0, Double.doubleToRawLongBits(1.5));
    block.addDouble(1000, Double.doubleToRawLongBits(0.1));
    block.addDouble(2000, Double.doubleToRawLongBits(-0.0));
    block.addDouble(3000, 0x7ff0_0000_2000_0000L);
    block.addDouble(4000, 0x7ff8_0000_0000_0001L);
    encodesTo(
        "000b001f002b003b004f",
        "3fc00000" + "3fb999999999999a" + "80000000" + "7f800001" + "7ff8000000000001" + "00",
        block);
  }

  @Test
  void appendsToTheCallersBuffers() {
    ByteWriter qualifiers = new ByteWriter(0);
    ByteWriter values = new ByteWriter(0);
    qualifiers.writeByte(0xaa);
    values.writeByte(0xbb);
    CompactedCell.encode(longs(0, 1, 1000, 2), qualifiers, values);
    CompactedCell.encode(longs(2000, 300), qualifiers, values);
    assertEquals("aa" + "00000010" + "0021", HEX.formatHex(qualifiers.toByteArray()));
    assertEquals("bb" + "010200" + "012c", HEX.formatHex(values.toByteArray()));
  }

  @Test
  void refusesToStoreNothing() {
    ByteWriter writer = new ByteWriter(0);
    assertThrows(
        IllegalArgumentException.class,
        () -> CompactedCell.encode(new PointBlock(), writer, writer));
  }

  @Test
  void knowsTheColumnsOfPoints() {
    for (String hex : new String[] {"0010", "f0000040", "00000010", "050000", "050102"}) {
      assertTrue(CompactedCell.matches(HEX.parseHex(hex)), hex);
    }
    for (String hex : new String[] {"", "05", "010000", "060000", "a100000100", "0500000000"}) {
      assertFalse(CompactedCell.matches(HEX.parseHex(hex)), hex);
    }
    assertTrue(CompactedCell.isAppend(HEX.parseHex("050000")));
    assertFalse(CompactedCell.isAppend(HEX.parseHex("0500")));
    assertFalse(CompactedCell.isAppend(HEX.parseHex("010000")));
  }

  @Test
  void readsPartsOfLargerArrays() throws MalformedCellException {
    byte[] qualifier = HEX.parseHex("ffff" + "00000010" + "ff");
    byte[] value = HEX.parseHex("ee" + "010200" + "eeeeee");
    PointBlock block = new PointBlock();
    CompactedCell.decode(qualifier, 2, 6, value, 1, 4, block);
    assertEquals(longs(0, 1, 1000, 2), block);
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> CompactedCell.decode(qualifier, 2, 8, value, 1, 4, block));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> CompactedCell.decode(qualifier, 2, 6, value, 1, 8, block));
    MalformedCellException thrown =
        assertThrows(
            MalformedCellException.class,
            () -> CompactedCell.decode(qualifier, 2, 6, value, 1, 2, block));
    assertEquals("value ends too early: expected=1, found=0, offset=1", thrown.getMessage());
  }

  @Test
  void trustsTheValuesLengthOfASinglePoint() throws MalformedCellException {
    assertEquals(longs(1000, -2), decode("0017", "fe"));
    assertEquals(longs(1000, -2), decode("0010", "fffffffe"));
    PointBlock float4 = new PointBlock();
    float4.addDouble(1000, Double.doubleToRawLongBits(1.5));
    assertEquals(float4, decode("001f", "3fc00000"));
    assertEquals(float4, decode("0018", "3fc00000"));
    assertEquals(float4, decode("0018", "3ff8000000000000"));
  }

  @Test
  void readsAFloatBehindFourZeroBytes() throws MalformedCellException {
    PointBlock block = new PointBlock();
    block.addDouble(1000, Double.doubleToRawLongBits(1.5));
    assertEquals(block, decode("001b", "000000003fc00000"));
    rejects(0, "must start with 4 zero bytes", "001b", "000000013fc00000");
  }

  @Test
  void readsACompactedColumnWithoutItsMetadata() throws MalformedCellException {
    assertEquals(longs(0, 1, 1000, 2), decode("00000010", "0102"));
    assertEquals(longs(0, 1, 1000, 2), decode("00000010", "0102ff"));
  }

  @Test
  void sortsACompactedColumnAndDropsRepeatedPoints() throws MalformedCellException {
    assertEquals(longs(0, 1, 1000, 2, 2000, 3), decode("002000000010", "03010200"));
    assertEquals(longs(0, 1, 1000, 2), decode("000000100010", "01020200"));
    assertEquals(longs(0, 1, 1000, 2), decode("00000011f000fa00", "01" + "0002" + "02" + "01"));
    rejects(0, "different values: offset=1000 ms", "000000100010", "01020300");
    // The same bits, but one integer and one double.
    rejects(0, "different values", "0017001f", "3ff8000000000000" + "3ff8000000000000" + "00");
  }

  @Test
  void readsAnAppendColumnInItsOrderOfArrival() throws MalformedCellException {
    assertEquals(longs(0, 1, 1000, 300), decode("050000", "000001" + "0011012c"));
    assertEquals(longs(0, 1, 1000, 300), decode("050000", "0011012c" + "000001"));
    assertEquals(longs(1, 7), decode("050102", "f000004007"));
    assertEquals(longs(), decode("050000", ""));
    assertEquals(
        longs(0, 9, 1000, 3),
        decode("050000", "000001" + "001002" + "000009" + "f000fa0003"),
        "the last of equal times counts");
  }

  @Test
  void rejectsAppendColumnsThatBreakOff() {
    rejects(3, "qualifier within the value ends too early: found=1", "050000", "00000100");
    rejects(3, "ends too early: found=3", "050000", "000001f00000");
    rejects(2, "expected=8, found=3", "050000", "0007010203");
    rejects(3, "flags=0x2", "050000", "000001" + "0012010203");
    rejects(3, "must lie in the hour: offset=3600000 ms", "050000", "000001" + "e10001");
  }

  @Test
  void rejectsQualifiersThatAreNotOfPoints() {
    rejects(0, "length=0", "", "00");
    rejects(0, "length=1", "05", "00");
    rejects(0, "length=3", "010000", "00");
    rejects(0, "length=5", "a100000100", "00");
    rejects(4, "expected=4, found=2", "00000010f000", "01020300");
    rejects(2, "must lie in the hour", "0000e100", "010200");
    rejects(0, "must lie in the hour", "e100", "01");
    rejects(0, "must lie in the hour: offset=4194303 ms", "ffffffc0", "01");
    rejects(2, "flags=0x9", "00000019", "01020300");
  }

  @Test
  void rejectsValuesThatDoNotMatchTheirQualifiers() {
    rejects(0, "length=0", "0010", "");
    rejects(0, "length=3", "0010", "010203");
    rejects(0, "length=9", "0010", "010203040506070809");
    rejects(0, "length=16", "0010", "01020304050607080102030405060708");
    rejects(0, "length=2", "0018", "0102");
    rejects(0, "expected=1, found=0", "f0000040", "");
    rejects(1, "found=1", "f0000040", "0100");
    rejects(1, "expected=2, found=1", "00000011", "0102");
    rejects(2, "found=2", "00000010", "01020000");
  }

  @Test
  void holdsEveryMillisecondOfAnHour() throws MalformedCellException {
    PointBlock block = new PointBlock(PointBlock.HOUR_MS);
    for (int i = 0; i < PointBlock.HOUR_MS; i++) {
      block.addLong(i, i & 0x7f);
    }
    ByteWriter qualifiers = new ByteWriter(0);
    ByteWriter values = new ByteWriter(0);
    CompactedCell.encode(block, qualifiers, values);
    assertEquals(3600 * (2 + 999 * 4), qualifiers.length());
    assertEquals(PointBlock.HOUR_MS + 1, values.length());
    PointBlock back = new PointBlock(0);
    CompactedCell.decode(qualifiers.toByteArray(), values.toByteArray(), back);
    assertEquals(block, back);
  }

  @Test
  void readsBackEveryRandomBlock() throws MalformedCellException {
    ByteWriter qualifiers = new ByteWriter(0);
    ByteWriter values = new ByteWriter(0);
    PointBlock back = new PointBlock(0);
    for (long seed = 1; seed <= 500; seed++) {
      PointBlock block = RandomBlocks.block(seed);
      qualifiers.reset();
      values.reset();
      CompactedCell.encode(block, qualifiers, values);
      CompactedCell.decode(
          qualifiers.array(), 0, qualifiers.length(), values.array(), 0, values.length(), back);
      assertEquals(block, back, "seed=" + seed);
    }
  }

  @Test
  void givesABlockOrOneExceptionForEachSmallDamage() {
    for (long seed = 1; seed <= 40; seed++) {
      PointBlock block = RandomBlocks.block(seed);
      ByteWriter qualifiers = new ByteWriter(0);
      ByteWriter values = new ByteWriter(0);
      CompactedCell.encode(block, qualifiers, values);
      byte[] qualifier = Arrays.copyOf(qualifiers.array(), Math.min(qualifiers.length(), 40));
      byte[] value = Arrays.copyOf(values.array(), Math.min(values.length(), 80));
      for (int bit = 0; bit < 8 * qualifier.length; bit++) {
        byte[] damaged = qualifier.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        decodeAnything(damaged, value);
        decodeAnything(new byte[] {5, 0, 0}, damaged);
        decodeAnything(Arrays.copyOf(qualifier, bit / 8), value);
      }
      for (int length = 0; length < value.length; length++) {
        decodeAnything(qualifier, Arrays.copyOf(value, length));
        decodeAnything(new byte[] {5, 0, 0}, Arrays.copyOf(value, length));
      }
    }
  }

  private static void decodeAnything(byte[] qualifier, byte[] value) {
    PointBlock block = new PointBlock(0);
    byte[] qualifierBefore = qualifier.clone();
    try {
      CompactedCell.decode(qualifier, value, block);
      int last = -1;
      for (int i = 0; i < block.count(); i++) {
        assertTrue(block.offsetsMs()[i] > last);
        last = block.offsetsMs()[i];
      }
    } catch (MalformedCellException e) {
      assertEquals(0, block.count());
    }
    assertArrayEquals(qualifierBefore, qualifier);
  }
}
