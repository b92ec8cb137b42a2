package io.packhorse.schema.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ByteWriterTest {
  private static String hex(ByteWriter writer) {
    return HexFormat.of().formatHex(writer.toByteArray());
  }

  @Test
  void writesLeastByteFirst() {
    ByteWriter writer = new ByteWriter(0);
    writer.writeByte(0x1ff);
    writer.writeIntLE(0x8102_0304);
    writer.writeLongLE(0x8002_0304_0506_0708L);
    assertEquals("ff" + "04030281" + "0807060504030280", hex(writer));
    assertEquals(13, writer.length());
  }

  @Test
  void writesTheShortestVarint() {
    ByteWriter writer = new ByteWriter(0);
    writer.writeVarInt(0);
    writer.writeVarInt(127);
    writer.writeVarInt(128);
    writer.writeVarInt(Integer.MAX_VALUE);
    assertEquals("00" + "7f" + "8001" + "ffffffff07", hex(writer));
    writer.reset();
    writer.writeVarLong(300);
    writer.writeVarLong(-1);
    writer.writeVarLong(0);
    assertEquals("ac02" + "ffffffffffffffffff01" + "00", hex(writer));
    writer.reset();
    writer.writeZigZagLong(-1);
    writer.writeZigZagLong(1);
    writer.writeZigZagLong(Long.MIN_VALUE);
    assertEquals("01" + "02" + "ffffffffffffffffff01", hex(writer));
  }

  @Test
  void rejectsANegativeVarInt() {
    ByteWriter writer = new ByteWriter(0);
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> writer.writeVarInt(-1));
    assertEquals("varint must be 0 to 2^31 - 1: value=-1", thrown.getMessage());
    assertEquals(0, writer.length());
  }

  @Test
  void copiesAStretchOfBytes() {
    ByteWriter writer = new ByteWriter(1);
    writer.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
    writer.writeBytes(new byte[0], 0, 0);
    assertEquals("0203", hex(writer));
    assertThrows(IndexOutOfBoundsException.class, () -> writer.writeBytes(new byte[] {1, 2}, 1, 2));
    assertEquals(2, writer.length());
  }

  @Test
  void letsTheCallerFillTheArray() {
    ByteWriter writer = new ByteWriter(2);
    writer.writeByte(7);
    writer.ensureRoom(5);
    byte[] array = writer.array();
    assertTrue(array.length >= 6);
    array[writer.length()] = 8;
    array[writer.length() + 1] = 9;
    writer.advance(2);
    assertSame(array, writer.array());
    assertEquals("070809", hex(writer));
    assertNotSame(array, writer.toByteArray());
  }

  @Test
  void refusesToAdvanceOutsideTheRoomMade() {
    ByteWriter writer = new ByteWriter(4);
    writer.advance(4);
    assertThrows(IllegalArgumentException.class, () -> writer.advance(1));
    assertThrows(IllegalArgumentException.class, () -> writer.advance(-1));
    assertEquals(4, writer.length());
  }

  @Test
  void refusesRoomThatNoArrayHas() {
    ByteWriter writer = new ByteWriter(1);
    assertThrows(IllegalArgumentException.class, () -> writer.ensureRoom(-1));
    writer.writeByte(1);
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> writer.ensureRoom(Integer.MAX_VALUE));
    assertEquals(
        "byte buffer must stay below 2 GiB: length=1, more=2147483647", thrown.getMessage());
    assertArrayEquals(new byte[] {1}, writer.toByteArray());
  }

  @Test
  void keepsItsArrayOverAReset() {
    ByteWriter writer = new ByteWriter(8);
    byte[] array = writer.array();
    for (int round = 0; round < 3; round++) {
      writer.writeLongLE(round);
      writer.reset();
      assertEquals(0, writer.length());
    }
    assertSame(array, writer.array());
  }

  @Test
  void growsByMoreThanIsAsked() {
    ByteWriter writer = new ByteWriter(0);
    int arrays = 0;
    byte[] last = writer.array();
    for (int i = 0; i < 1_000_000; i++) {
      writer.writeByte(i);
      if (writer.array() != last) {
        last = writer.array();
        arrays++;
      }
    }
    assertTrue(arrays < 40, "arrays=" + arrays);
    assertEquals(1_000_000, writer.length());
  }
}
