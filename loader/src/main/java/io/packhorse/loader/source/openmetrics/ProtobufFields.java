package io.packhorse.loader.source.openmetrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The fields of a protobuf message, one after the other, as its encoding guide describes them.
 * Libraries copy each name into an object; here it stays a range of the buffer. One thread.
 */
final class ProtobufFields {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  private static final int TYPE_BITS = 3;
  private static final VarHandle INT_64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] buffer = {};
  private int at;
  private int end;
  private int begin;
  private int field;
  private int type;
  private int from;
  private long number;

  /** Begins a message that is {@code [from, to)} of a buffer, which must not change. */
  void open(byte[] of, int messageFrom, int messageTo) {
    buffer = of;
    at = messageFrom;
    end = messageTo;
  }

  /** Begins the message that a field of another one is. */
  void open(ProtobufFields message) throws MalformedRequestException {
    open(message.buffer, message.from(), message.to());
  }

  /** Advances to the next field; false after the last one. */
  boolean next() throws MalformedRequestException {
    if (at == end) {
      return false;
    }
    begin = at;
    long key = varint();
    field = (int) (key >>> TYPE_BITS);
    type = (int) key & ((1 << TYPE_BITS) - 1);
    switch (type) {
      case VARINT -> number = varint();
      case FIXED_64 -> {
        take(Long.BYTES);
        number = (long) INT_64.get(buffer, from);
      }
      case BYTES -> take(varint());
      case FIXED_32 -> take(Integer.BYTES);
      default -> throw malformed("a field of an unknown type");
    }
    return true;
  }

  private void take(long bytes) throws MalformedRequestException {
    if (bytes < 0 || bytes > end - at) {
      throw malformed("a field that is longer than its message");
    }
    from = at;
    at += (int) bytes;
  }

  private long varint() throws MalformedRequestException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && at < end; shift += Byte.SIZE - 1) {
      byte next = buffer[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("a number that does not end");
  }

  MalformedRequestException malformed(String what) {
    return new MalformedRequestException(what, begin);
  }

  int field() {
    return field;
  }

  /** Index of the field's first byte, its key included. */
  int begin() {
    return begin;
  }

  /** Index after the field. */
  int to() {
    return at;
  }

  /** Index of the first byte of a field of bytes. */
  int from() throws MalformedRequestException {
    if (type != BYTES) {
      throw malformed("a field that should be text or a message");
    }
    return from;
  }

  boolean isBytes() {
    return type == BYTES;
  }

  /** A field that is an integer. */
  long integer() throws MalformedRequestException {
    if (type != VARINT) {
      throw malformed("a field that should be an integer");
    }
    return number;
  }

  /** A field that is a double, as its bits. */
  long doubleBits() throws MalformedRequestException {
    if (type != FIXED_64) {
      throw malformed("a field that should be a double");
    }
    return number;
  }

  /** The next of the integers packed into the bytes that this message is; {@link #atEnd} first. */
  long packed() throws MalformedRequestException {
    begin = at;
    return varint();
  }

  boolean atEnd() {
    return at == end;
  }
}
