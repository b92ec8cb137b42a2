package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * The last bytes that are read and the first that are refused, each by its offset; the reference
 * decoder draws the same line. Bars part header, times and values.
 */
class ReaderLimitsTest {
  private final PackedCellDecoder decoder = new PackedCellDecoder();

  private static byte[] cell(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("[ |]", ""));
  }

  private PointBlock assertRead(String hex) throws MalformedCellException {
    PointBlock block = new PointBlock(0);
    decoder.decode(cell(hex), block);
    assertEquals(ReferenceDecoder.decode(cell(hex)), block, hex);
    return block;
  }

  private void assertRefused(int offset, String hex) {
    MalformedCellException e =
        assertThrows(
            MalformedCellException.class, () -> decoder.decode(cell(hex), new PointBlock(0)), hex);
    assertEquals(offset, e.offset(), hex + ": " + e);
    assertThrows(ReferenceDecoder.Rejected.class, () -> ReferenceDecoder.decode(cell(hex)), hex);
  }

  private void assertSeconds(String hex, int... seconds) throws MalformedCellException {
    PointBlock block = assertRead(hex);
    int[] found = Arrays.copyOf(block.offsetsMs(), block.count());
    assertArrayEquals(Arrays.stream(seconds).map(s -> s * 1000).toArray(), found, hex);
  }

  private void assertValues(String hex, long... values) throws MalformedCellException {
    PointBlock block = assertRead(hex);
    assertArrayEquals(values, Arrays.copyOf(block.values(), block.count()), hex);
  }

  @Test
  void runsOfSlotsEndInsideTheHour() throws MalformedCellException {
    assertSeconds("A1 00 31 03 00 | 01 01 01 | 00 00", 0, 2, 3);
    assertSeconds("A1 00 31 03 00 | 01 02 01 | 00 00", 0, 1, 3);
    assertRefused(6, "A1 00 31 03 00 | 01 03 01 | 00 00");
    assertRefused(6, "A1 00 31 03 00 | 01 00 01 | 00 00");
    assertRefused(6, "A1 00 31 03 00 | 01 01 00 | 00 00");
    assertRefused(8, "A1 00 31 03 00 | 02 01 01 02 01 | 00 00");
    assertSeconds("A1 00 31 03 8C 1C | 01 01 01 | 00 00", 3596, 3598, 3599);
    assertRefused(7, "A1 00 31 03 8D 1C | 01 01 01 | 00 00");
    assertRefused(7, "A1 00 31 03 8D 1C | 02 01 03 01 01 | 00 00");
    assertRefused(7, "A1 00 31 04 8F 1C | 01 02 01 | 00 00");
  }

  @Test
  void offsetsRiseInsideTheHour() throws MalformedCellException {
    assertSeconds("A1 00 50 01 | 00 9E 38 | 00 00", 3599);
    assertRefused(4, "A1 00 50 01 | 00 A0 38 | 00 00");
    assertRefused(4, "A1 00 50 01 | 00 01 | 00 00");
    assertRefused(4, "A1 00 50 02 | 00 02 | 00 00");
    assertSeconds("A1 00 42 02 8E 1C | 00 04 01 01 01 | 00 00", 3598, 3599);
    assertSeconds("A1 00 21 02 8E 1C | 00 00", 3598, 3599);
    assertRefused(2, "A1 00 21 02 8F 1C | 00 00");
  }

  @Test
  void offsetsListedByTheirDifferencesRiseInsideTheHour() throws MalformedCellException {
    assertSeconds("A1 00 50 02 | 01 00 02 | 00 00", 0, 1);
    assertSeconds("A1 00 50 02 | 01 9C 38 02 | 00 00", 3598, 3599);
    assertRefused(4, "A1 00 50 02 | 01 9E 38 02 | 00 00");
    assertRefused(4, "A1 00 50 02 | 01 00 00 | 00 00");
    assertRefused(4, "A1 00 50 02 | 01 04 01 | 00 00");
    assertRefused(4, "A1 00 50 02 | 01 01 02 | 00 00");
    // Steps of 2^62 that come round to 0.
    assertRefused(4, "A1 00 50 05 | 01 00 80 80 80 80 80 80 80 80 80 01 | 00 00");
    // Milliseconds: 3,599,998 and 3,599,999; then one later.
    PointBlock last = assertRead("A1 04 50 02 | 01 FC B9 B7 03 02 | 00 00");
    assertEquals(3_599_999, last.offsetsMs()[1]);
    MalformedCellException e =
        assertThrows(
            MalformedCellException.class,
            () -> decoder.decode(cell("A1 04 50 02 | 01 FE B9 B7 03 02 | 00 00"), last));
    assertTrue(e.toString().contains("index=1, offset=3600000, last=3599999"), e::toString);
  }

  @Test
  void theHeaderAloneRefusesFirstOffsetsOutsideTheHour() throws MalformedCellException {
    for (String times : new String[] {"21", "31", "41"}) {
      assertEquals(1, PackedCellHeader.parse(cell("A1 00 " + times + " 01 8F 1C")).count());
      byte[] outside = cell("A1 00 " + times + " 01 90 1C");
      assertEquals(
          2,
          assertThrows(MalformedCellException.class, () -> PackedCellHeader.parse(outside))
              .offset());
    }
    PackedCellHeader regular = PackedCellHeader.parse(cell("A1 00 22 03 07"));
    assertEquals(7000, regular.firstOffsetMs());
    assertEquals(11_000, regular.lastOffsetMs());
    assertEquals(-1, PackedCellHeader.parse(cell("A1 00 31 01 07")).firstOffsetMs());
  }

  @Test
  void theHeaderAloneRefusesASpanThatLeavesTheHour() throws MalformedCellException {
    assertEquals(3_599_000, PackedCellHeader.parse(span("8E 1C 01")).lastOffsetMs());
    byte[] outside = span("8E 1C 02");
    assertEquals(
        4,
        assertThrows(MalformedCellException.class, () -> PackedCellHeader.parse(outside)).offset());
  }

  /** Two points listed, first and last offset in the header, five numbers and a right check. */
  private static byte[] span(String offsets) {
    byte[] header = cell("A1 08 50 02 " + offsets + " 02 00 00 00 00 0000");
    int end = header.length - PackedCellDescriptor.CHECK_BYTES;
    CRC32C crc = new CRC32C();
    crc.update(header, 0, end);
    header[end] = (byte) crc.getValue();
    header[end + 1] = (byte) (crc.getValue() >>> 8);
    return header;
  }

  @Test
  void aCellMayEndAtItsChecksumOnlyWhereItsFieldsEnd() {
    byte[] cell = cell("A1 10 11 01 00000000");
    CRC32C crc = new CRC32C();
    crc.update(cell, 0, 4);
    for (int i = 0; i < 4; i++) {
      cell[4 + i] = (byte) (crc.getValue() >>> (8 * i));
    }
    assertRefused(4, HexFormat.of().formatHex(cell));
    assertRefused(7, "A1 10 11 01 000000");
  }

  /**
   * What follows the version of this one would read as a cell of 80 points, if a flip in it made
   * the first byte of a cell without a checksum.
   */
  @Test
  void noFlipMakesACellWithAChecksumOneWithout() throws MalformedCellException {
    byte[] cell =
        cell(
            "A1 11 50 40 05 02 20 04 73 42 8A CB 0A 77 3E 33 AD 8F 56 A9 A6 07 23 62 2C 80 9E 16 ED"
                + " F3 D7 E9 30 69 A0 F7 70 C7 84 06 00 00 EE 1F 38 53 9E 01");
    assertEquals(64, assertRead(HexFormat.of().formatHex(cell)).count());
    for (int bit = 0; bit < 8 * cell.length; bit++) {
      byte[] flipped = cell.clone();
      flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
      assertThrows(MalformedCellException.class, () -> decoder.decode(flipped, new PointBlock(0)));
    }
  }

  @Test
  void partsAreAtMostAsManyAsValues() throws MalformedCellException {
    assertValues("A1 00 11 03 | 07 02 04 0A 01 01 04 00 01 01", 6, 6, 5);
    assertValues("A1 00 11 02 | 07 02 04 0A 01 01 00 00", 6, 5);
    assertValues("A1 00 11 03 | 07 01 00 0A 00 04", 5, 5, 5);
    assertRefused(5, "A1 00 11 02 | 07 03 00 0A 00 00");
    assertRefused(8, "A1 00 11 03 | 07 01 00 0A 00 06");
    assertRefused(8, "A1 00 11 03 | 07 01 00 0A 00 02");
    assertRefused(10, "A1 00 11 03 | 07 02 04 0A 01 01 04 00 02 02");
    assertValues("A1 00 11 02 | 03 02 04 0A 01 01 04 00 01 01", 5, 6);
    assertRefused(5, "A1 00 11 02 | 03 03 04 0A 01 01 04 00 01 01");
  }

  @Test
  void mantissasLieInMinus2To51UpWhateverTheirOrder() throws MalformedCellException {
    long end = Double.doubleToRawLongBits(0x1p51 - 1);
    assertValues("A1 01 11 03 | 00 00 FE FF FF FF FF FF FF 07", end, end, end);
    assertValues("A1 01 11 03 | 00 01 FE FF FF FF FF FF FF 07 00", end, end, end);
    assertValues("A1 01 11 03 | 00 02 FE FF FF FF FF FF FF 07 00 00", end, end, end);
    assertRefused(4, "A1 01 11 03 | 00 00 80 80 80 80 80 80 80 08");
    assertRefused(4, "A1 01 11 03 | 00 01 80 80 80 80 80 80 80 08 01");
    assertRefused(4, "A1 01 11 03 | 00 02 80 80 80 80 80 80 80 08 01 00");
    assertRefused(4, "A1 01 11 03 | 00 02 FE FF FF FF FF FF FF 07 00 02");
    assertRefused(4, "A1 01 11 03 | 00 02 FF FF FF FF FF FF FF 07 00 01");
    assertRefused(4, "A1 01 11 03 | 00 02 00 00 80 80 80 80 80 80 80 40");
  }

  @Test
  void othersAreAtMostAsManyAsDoubles() throws MalformedCellException {
    String bits = " 0000000000000080 0100000000000080";
    String others = "A1 01 11 02 | 01 00 00 ";
    assertValues(others + "02 04 00 01 02" + bits, Long.MIN_VALUE, Long.MIN_VALUE + 1);
    assertRefused(7, others + "03 04 00 01 02" + bits);
    assertRefused(7, others + "02 04 00 02 08" + bits);
    assertRefused(7, others + "02 00 02" + bits);
  }

  @Test
  void outliersAreAtMost32AndLieInTheBlock() throws MalformedCellException {
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < 33; i++) {
      places.append("%02X".formatted(i));
    }
    String block = "A1 00 11 28 | 0C 80 ";
    PointBlock most = assertRead(block + "20" + places.substring(0, 64) + "01".repeat(32));
    assertEquals(-1, most.values()[31]);
    assertEquals(0, most.values()[32]);
    assertRefused(6, block + "21" + places + "01".repeat(33));
    assertValues("A1 00 11 02 | 0C 80 02 00 01 01 02", -1, 1);
    assertRefused(6, "A1 00 11 02 | 0C 80 03 00 01 01 01 01");
    assertRefused(7, "A1 00 11 02 | 0C 80 01 02 01");
    assertRefused(8, "A1 00 11 02 | 0C 80 02 01 01 01 01");
    assertRefused(8, "A1 00 11 02 | 0C 80 01 01 00");
  }

  @Test
  void anOutlierFillsAtMost64Bits() throws MalformedCellException {
    assertValues("A1 00 11 01 | 0C BF 0000000000000000 01 00 01", 1L << 62);
    assertRefused(16, "A1 00 11 01 | 0C BF 0000000000000000 01 00 02");
    assertRefused(5, "A1 00 11 01 | 0C C0 0000000000000000 01 00 01");
  }

  @Test
  void blocksHaveAFormAWidthAndARadixInRange() throws MalformedCellException {
    assertValues("A1 00 11 01 | 0C 40 0200000000000000", 1);
    assertRefused(5, "A1 00 11 01 | 0C 43 0200000000000000");
    assertValues("A1 00 11 01 | 0C 42 00 40 0200000000000000", 2);
    assertRefused(7, "A1 00 11 01 | 0C 42 00 41 0200000000000000");
    assertRead("A1 00 11 01 | 0C 41 00 03 00");
    assertRefused(7, "A1 00 11 01 | 0C 41 00 02 00");
    assertRead("A1 00 11 01 | 0C 41 00 80 80 40 00 00 00");
    assertRefused(7, "A1 00 11 01 | 0C 41 00 81 80 40 00 00 00");
  }

  @Test
  void stepsAreOneToAllOfTheResiduals() throws MalformedCellException {
    assertValues("A1 00 11 01 | 10 00 01 01", 1);
    assertRefused(5, "A1 00 11 01 | 10 00 00 01");
    assertRefused(5, "A1 00 11 01 | 10 00 02 01");
    assertRefused(5, "A1 00 11 01 | 10 00 01 02");
  }

  @Test
  void plainOffsetsRiseInsideTheHour() throws MalformedCellException {
    assertRefused(2, "A1 88 | 00 00 00 00 | 01 02");
    assertSeconds("A1 8A | 9B 18 00 00 | 01 02", 3598, 3599);
    assertRefused(2, "A1 8B | 9B 18 00 00 | 01 02");
  }

  @Test
  void plainPartsAre1To999() throws MalformedCellException {
    assertEquals(1, assertRead("A1 84 | 18 55 00 | 01").offsetsMs()[0]);
    assertEquals(999, assertRead("A1 84 | 18 D5 F9 | 01").offsetsMs()[0]);
    assertRefused(2, "A1 84 | 18 15 FA | 01");
    assertRefused(2, "A1 84 | 18 15 00 | 01");
  }

  @Test
  void whatWasReadBeforeIsNotSeenPastTheEnd() throws MalformedCellException {
    String cut = "A1 00 11 01 | 10 00 01 00";
    String first = refusal(decoder, cut);
    assertRead("A1 00 11 03 | 04 04 14 FF FF FF FF FF FF FF 0F");
    assertEquals(first, refusal(decoder, cut));
    assertEquals(first, refusal(new PackedCellDecoder(), cut));
  }

  private static String refusal(PackedCellDecoder decoder, String hex) {
    return assertThrows(
            MalformedCellException.class, () -> decoder.decode(cell(hex), new PointBlock(0)))
        .toString();
  }

  @Test
  void golombNumbersEndWithTheirRun() throws MalformedCellException {
    BitSource source = new BitSource();
    byte[] bytes = new byte[1 + BitPacking.SLACK];
    bytes[0] = (byte) 0x80;
    source.start(new ByteReader(bytes, 0, 1), bytes);
    assertEquals(0, source.take(7));
    assertEquals(0, source.golomb(0));
    bytes[0] = 0;
    bytes[1] = 1;
    source.start(new ByteReader(bytes, 0, 1), bytes);
    assertThrows(MalformedCellException.class, () -> source.golomb(0));
    source.start(new ByteReader(bytes, 0, 1), bytes);
    assertEquals(0, source.take(7));
    assertThrows(MalformedCellException.class, () -> source.golomb(0));
    MalformedCellException e = assertThrows(MalformedCellException.class, () -> source.take(2));
    assertEquals(0, e.offset());
    assertTrue(e.toString().contains("expected=2, found=1, "), e.toString());
  }

  @Test
  void golombNumbersHaveUpTo62Bits() throws MalformedCellException {
    ByteWriter out = new ByteWriter(0);
    BitSink sink = new BitSink();
    sink.start(out);
    sink.putGolomb((1L << 62) - 1, 0);
    sink.putGolomb((1L << 63) - 1, 0);
    sink.finish();
    byte[] bytes = Arrays.copyOf(out.array(), out.length() + BitPacking.SLACK);
    BitSource source = new BitSource();
    source.start(new ByteReader(bytes, 0, out.length()), bytes);
    assertEquals((1L << 62) - 1, source.golomb(0));
    assertThrows(MalformedCellException.class, () -> source.golomb(0));
  }
}
