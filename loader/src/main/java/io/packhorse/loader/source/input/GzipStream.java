package io.packhorse.loader.source.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip (RFC 1952) of any number of members. The JDK's own stream mistakes damage after
 * the first member, or a slow pipe there, for the end of the file; here a cut and foreign bytes are
 * errors. One thread; owns the stream it reads.
 */
final class GzipStream extends InputStream {
  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final InputStream compressed;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int limit;
  private boolean inMember;

  GzipStream(InputStream compressed) {
    this.compressed = compressed;
  }

  /** Whether bytes that begin with these two are gzip; no text line begins so. */
  static boolean startsWith(int first, int second) {
    return first == 0x1f && second == 0x8b;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (true) {
      if (!inMember && !openMember()) {
        return -1;
      }
      int count = inflate(into, from, length);
      if (count > 0) {
        crc.update(into, from, count);
        return count;
      }
      if (inflater.finished()) {
        closeMember();
      } else if (inflater.needsDictionary()) {
        throw new DamagedInputException("damaged gzip: a member asks for a dictionary");
      } else {
        at = limit;
        require();
        inflater.setInput(buffer, at, limit - at);
      }
    }
  }

  private int inflate(byte[] into, int from, int length) throws DamagedInputException {
    try {
      return inflater.inflate(into, from, length);
    } catch (DataFormatException e) {
      throw new DamagedInputException("damaged gzip: " + e.getMessage());
    }
  }

  /** Reads a header; false at the end of the file. */
  private boolean openMember() throws IOException {
    if (at == limit && !refill()) {
      return false;
    }
    if (!startsWith(next(), next()) || next() != 8) {
      throw new DamagedInputException("damaged gzip: what follows a member is not another one");
    }
    int flags = next();
    if ((flags & RESERVED) != 0) {
      throw new DamagedInputException("damaged gzip: reserved header flags are set");
    }
    skip(6);
    if ((flags & EXTRA) != 0) {
      skip(next() | next() << 8);
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CRC) != 0) {
      skip(2);
    }
    inflater.reset();
    crc.reset();
    inflater.setInput(buffer, at, limit - at);
    inMember = true;
    return true;
  }

  private void closeMember() throws IOException {
    at = limit - inflater.getRemaining();
    if (nextInt() != (int) crc.getValue() || nextInt() != (int) inflater.getBytesWritten()) {
      throw new DamagedInputException("damaged gzip: checksum or length of a member is wrong");
    }
    inMember = false;
  }

  private int nextInt() throws IOException {
    return next() | next() << 8 | next() << 16 | next() << 24;
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {
      // Skip.
    }
  }

  private int next() throws IOException {
    require();
    return buffer[at++] & 0xff;
  }

  private void require() throws IOException {
    if (at == limit && !refill()) {
      throw new DamagedInputException("gzip is cut short");
    }
  }

  private boolean refill() throws IOException {
    at = 0;
    limit = Math.max(0, compressed.read(buffer, 0, buffer.length));
    return limit > 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    compressed.close();
  }
}
