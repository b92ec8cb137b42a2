package io.packhorse.schema.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ByteReaderTest {
  private static ByteReader reader(int... bytes) {
    byte[] array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return new ByteReader(array, 0, array.length);
  }

  private static void rejects(int offset, String words, Executable read) {
    MalformedCellException thrown = assertThrows(MalformedCellException.class, read);
    String message = String.valueOf(thrown.getMessage());
    assertEquals(offset, thrown.offset(), message);
    assertTrue(message.contains(words) && message.endsWith("offset=" + offset), message);
  }

  @Test
  void readsEachWidthInOrder() throws MalformedCellException {
    ByteReader reader = reader(0xfe, 8, 7, 6, 5, 4, 3, 2, 0x80);
    assertEquals(9, reader.remaining());
    assertEquals(0xfe, reader.readByte());
    assertEquals(0x8002_0304_0506_0708L, reader.readLongLE());
    assertEquals(9, reader.position());
    assertEquals(0, reader.remaining());
    reader.expectEnd();
  }

  @Test
  void staysInsideItsRange() throws MalformedCellException {
    ByteReader reader = new ByteReader(new byte[] {9, 1, 2, 9, 9, 9, 9, 9, 9, 9}, 1, 3);
    assertEquals(1, reader.position());
    rejects(1, "expected=8, found=2", reader::readLongLE);
    assertEquals(1, reader.readByte());
    assertEquals(2, reader.readVarInt());
    rejects(3, "expected=1, found=0", reader::readByte);
    rejects(3, "expected=1, found=0", reader::readVarInt);
    rejects(3, "expected=1, found=0", reader::readVarLong);
    rejects(3, "expected=1, found=0", reader::readZigZagLong);
  }

  @Test
  void rejectsARangeOutsideTheArray() {
    byte[] bytes = new byte[3];
    assertThrows(IndexOutOfBoundsException.class, () -> new ByteReader(bytes, -1, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> new ByteReader(bytes, 0, 4));
    assertThrows(IndexOutOfBoundsException.class, () -> new ByteReader(bytes, 2, 1));
  }

  @Test
  void readsVarintsAtTheirBoundaries() throws MalformedCellException {
    assertEquals(0, reader(0).readVarInt());
    assertEquals(127, reader(0x7f).readVarInt());
    assertEquals(128, reader(0x80, 1).readVarInt());
    assertEquals(Integer.MAX_VALUE, reader(0xff, 0xff, 0xff, 0xff, 7).readVarInt());
    assertEquals(0, reader(0).readVarLong());
    assertEquals(300, reader(0xac, 2).readVarLong());
    assertEquals(
        Long.MAX_VALUE, reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f).readVarLong());
    ByteReader longest = reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1);
    assertEquals(-1, longest.readVarLong());
    longest.expectEnd();
  }

  @Test
  void rejectsVarintsThatAreNotTheShortest() {
    rejects(0, "as short as possible", () -> reader(0x80, 0).readVarInt());
    rejects(0, "as short as possible", () -> reader(0xff, 0x80, 0).readVarInt());
    rejects(0, "as short as possible", () -> reader(0x81, 0).readVarLong());
    rejects(
        0,
        "as short as possible",
        () -> reader(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0).readVarLong());
  }

  @Test
  void rejectsVarintsThatAreTooLarge() {
    rejects(
        0, "below 2^31: value=2147483648", () -> reader(0x80, 0x80, 0x80, 0x80, 8).readVarInt());
    rejects(
        0,
        "below 2^31: value=34359738367",
        () -> reader(0xff, 0xff, 0xff, 0xff, 0x7f).readVarInt());
    rejects(
        0, "within 5 bytes", () -> reader(0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x01).readVarInt());
    rejects(
        0,
        "fit in 64 bits",
        () -> reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2).readVarLong());
    rejects(
        0,
        "within 10 bytes",
        () -> reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1).readVarLong());
  }

  @Test
  void rejectsVarintsThatAreCutOff() {
    rejects(
        0, "ends inside a varint: expected=2 or more, found=1", () -> reader(0x80).readVarInt());
    rejects(0, "expected=4 or more, found=3", () -> reader(0x80, 0x80, 0x80).readVarLong());
  }

  @Test
  void leavesTheCursorWhereAReadFailed() throws MalformedCellException {
    ByteReader reader = reader(5, 0x80, 0);
    assertEquals(5, reader.readVarLong());
    rejects(1, "as short as possible", reader::readVarLong);
    assertEquals(1, reader.position());
    assertEquals(0x80, reader.readByte());
  }

  @Test
  void unfoldsZigzag() throws MalformedCellException {
    assertEquals(0, reader(0).readZigZagLong());
    assertEquals(-1, reader(1).readZigZagLong());
    assertEquals(1, reader(2).readZigZagLong());
    assertEquals(-64, reader(0x7f).readZigZagLong());
    assertEquals(
        Long.MIN_VALUE,
        reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1).readZigZagLong());
    assertEquals(
        Long.MAX_VALUE,
        reader(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1).readZigZagLong());
  }

  @Test
  void skipsWithinTheRangeOnly() throws MalformedCellException {
    ByteReader reader = reader(1, 2, 3);
    reader.skip(0);
    reader.skip(2);
    assertEquals(2, reader.position());
    rejects(2, "expected=2, found=1", () -> reader.skip(2));
    rejects(2, "expected=2147483647, found=1", () -> reader.skip(Integer.MAX_VALUE));
    rejects(2, "length=-1", () -> reader.skip(-1));
    rejects(2, "left over after the last field: expected=0, found=1", reader::expectEnd);
    reader.skip(1);
    reader.expectEnd();
  }

  @Test
  void readsBackEverythingTheWriterWrote() throws MalformedCellException {
    for (long seed = 1; seed <= 200; seed++) {
      ByteWriter writer = new ByteWriter(0);
      Random random = new Random(seed);
      for (int i = 0; i < 200; i++) {
        long value = random.nextLong() >>> random.nextInt(64);
        switch (random.nextInt(6)) {
          case 0 -> writer.writeByte((int) value);
          case 1 -> writer.writeVarInt((int) value & Integer.MAX_VALUE);
          case 2 -> writer.writeVarLong(value);
          case 3 -> writer.writeZigZagLong(~value);
          case 4 -> writer.writeIntLE((int) value);
          default -> writer.writeLongLE(value);
        }
      }
      ByteReader reader = new ByteReader(writer.array(), 0, writer.length());
      String where = "seed=" + seed;
      random = new Random(seed);
      for (int i = 0; i < 200; i++) {
        long value = random.nextLong() >>> random.nextInt(64);
        switch (random.nextInt(6)) {
          case 0 -> assertEquals((int) value & 0xff, reader.readByte(), where);
          case 1 -> assertEquals((int) value & Integer.MAX_VALUE, reader.readVarInt(), where);
          case 2 -> assertEquals(value, reader.readVarLong(), where);
          case 3 -> assertEquals(~value, reader.readZigZagLong(), where);
          case 4 -> {
            for (int shift = 0; shift < 32; shift += 8) {
              assertEquals((int) (value >>> shift) & 0xff, reader.readByte(), where);
            }
          }
          default -> assertEquals(value, reader.readLongLE(), where);
        }
      }
      reader.expectEnd();
    }
  }

  @Test
  void acceptsOneSpellingOfEachNumberOnly() {
    Random random = new Random(7);
    byte[] bytes = new byte[11];
    for (int i = 0; i < 200_000; i++) {
      random.nextBytes(bytes);
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] |= random.nextInt(8) == 0 ? 0 : (byte) 0x80;
      }
      ByteReader reader = new ByteReader(bytes, 0, bytes.length);
      try {
        long value = reader.readVarLong();
        ByteWriter writer = new ByteWriter(10);
        writer.writeVarLong(value);
        assertEquals(reader.position(), writer.length(), "value=" + value);
      } catch (MalformedCellException e) {
        assertEquals(0, reader.position(), "round=" + i);
      }
    }
  }
}
