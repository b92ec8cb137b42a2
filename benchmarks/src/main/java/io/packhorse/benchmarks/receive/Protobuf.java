package io.packhorse.benchmarks.receive;

import java.io.ByteArrayOutputStream;

/** Writes fields of protobuf messages. */
final class Protobuf {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;

  private Protobuf() {}

  static void bytes(ByteArrayOutputStream to, int field, byte[] bytes) {
    number(to, (field << 3) | BYTES);
    number(to, bytes.length);
    to.writeBytes(bytes);
  }

  static void varint(ByteArrayOutputStream to, int field, long value) {
    number(to, (field << 3) | VARINT);
    number(to, value);
  }

  static void fixed64(ByteArrayOutputStream to, int field, long bits) {
    number(to, (field << 3) | FIXED64);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      to.write((int) (bits >>> shift));
    }
  }

  private static void number(ByteArrayOutputStream to, long number) {
    long rest = number;
    while ((rest & ~0x7fL) != 0) {
      to.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    to.write((int) rest);
  }
}
