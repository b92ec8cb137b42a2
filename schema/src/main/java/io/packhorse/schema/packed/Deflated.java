package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Integers that repeat at a distance, through the JDK's DEFLATE (format.md section 7.10): the least
 * one, a length in bytes that holds all above it, then these bytes compressed.
 *
 * <p>What comes out is bounded by the count: a stream that would give more, or less, is malformed.
 * Reusable, one instance a thread; the native streams are made at the first use.
 */
final class Deflated {
  private static final int LEVEL = 6;
  private static final int BUFFER = 4096;

  private @Nullable Deflater deflater;
  private @Nullable Inflater inflater;
  private byte[] plain = new byte[0];

  /** Appends {@code values[0, count)}; greatest - least as an unsigned number is their range. */
  void write(long[] values, int count, long least, long greatest, ByteWriter out) {
    int length = Math.max(1, (BitPacking.width(greatest - least) + 7) >>> 3);
    plain = Scratch.bytes(plain, count * length + BitPacking.SLACK);
    int at = 0;
    for (int i = 0; i < count; i++, at += length) {
      BitPacking.store(plain, at, values[i] - least);
    }
    if (deflater == null) {
      deflater = new Deflater(LEVEL, true);
    }
    deflater.reset();
    deflater.setInput(plain, 0, at);
    deflater.finish();
    out.writeZigZagLong(least);
    out.writeByte(length);
    while (!deflater.finished()) {
      out.ensureRoom(BUFFER);
      out.advance(deflater.deflate(out.array(), out.length(), BUFFER));
    }
  }

  /** Reads {@code count} values into {@code values[0, count)}. */
  void read(ByteReader in, byte[] bytes, int count, long[] values) throws MalformedCellException {
    long least = in.readZigZagLong();
    int at = in.position();
    int length = in.readByte();
    if (length < 1 || length > 8) {
      throw new MalformedCellException(
          at, "packed cell: deflated values must have 1 to 8 bytes: length=" + length);
    }
    int wanted = count * length;
    plain = Scratch.bytes(plain, wanted + BitPacking.SLACK);
    if (inflater == null) {
      inflater = new Inflater(true);
    }
    inflater.reset();
    at = in.position();
    inflater.setInput(bytes, at, in.remaining());
    int got = 0;
    try {
      while (got < wanted) {
        int more = inflater.inflate(plain, got, wanted - got);
        if (more == 0) {
          break;
        }
        got += more;
      }
      // One byte of room shows whether the stream ends here.
      if (got < wanted || inflater.inflate(plain, wanted, 1) != 0 || !inflater.finished()) {
        throw new MalformedCellException(
            at, "packed cell: deflated bytes must be " + wanted + ": found=" + got);
      }
    } catch (DataFormatException e) {
      throw new MalformedCellException(at, "packed cell: bytes are no DEFLATE stream");
    }
    in.skip(in.remaining() - inflater.getRemaining());
    long mask = -1L >>> (64 - 8 * length);
    for (int i = 0, from = 0; i < count; i++, from += length) {
      values[i] = least + (BitPacking.load(plain, from) & mask);
    }
  }
}
