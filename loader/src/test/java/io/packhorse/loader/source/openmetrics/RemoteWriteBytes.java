package io.packhorse.loader.source.openmetrics;

import io.airlift.compress.snappy.SnappyCompressor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the protobuf messages of remote write, field by field, by protobuf's encoding guide. */
public final class RemoteWriteBytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** What was written. */
  public byte[] bytes() {
    return out.toByteArray();
  }

  /** Bytes in Snappy's block format. */
  public static byte[] snappy(byte[] bytes) {
    SnappyCompressor compressor = new SnappyCompressor();
    byte[] compressed = new byte[compressor.maxCompressedLength(bytes.length)];
    int length = compressor.compress(bytes, 0, bytes.length, compressed, 0, compressed.length);
    return Arrays.copyOf(compressed, length);
  }

  RemoteWriteBytes varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
    return this;
  }

  RemoteWriteBytes integer(int field, long value) {
    return varint((long) field << 3).varint(value);
  }

  RemoteWriteBytes real(int field, double value) {
    varint((long) field << 3 | 1);
    out.writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array());
    return this;
  }

  RemoteWriteBytes bytes(int field, byte[] value) {
    varint((long) field << 3 | 2).varint(value.length);
    out.writeBytes(value);
    return this;
  }

  /** A field that is a text. */
  public RemoteWriteBytes text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** A field that is a message. */
  public RemoteWriteBytes message(int field, RemoteWriteBytes value) {
    return bytes(field, value.bytes());
  }

  /** A label of a series of version 1.0. */
  public RemoteWriteBytes label(String name, String value) {
    return message(1, new RemoteWriteBytes().text(1, name).text(2, value));
  }

  /** Numbers of symbols, of a series of version 2.0. */
  public RemoteWriteBytes references(int... symbols) {
    RemoteWriteBytes packed = new RemoteWriteBytes();
    for (int symbol : symbols) {
      packed.varint(symbol);
    }
    return message(1, packed);
  }

  /** A sample of a series. */
  public RemoteWriteBytes sample(double value, long timestampMs) {
    return message(2, new RemoteWriteBytes().real(1, value).integer(2, timestampMs));
  }
}
