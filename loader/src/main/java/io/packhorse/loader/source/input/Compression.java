package io.packhorse.loader.source.input;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** How an input is compressed, detected by its first bytes and not by its name. */
public enum Compression {
  NONE("plain"),
  GZIP("gzip"),
  ZSTD("zstd");

  private static final int MAGIC_BYTES = 6;

  private final String shown;

  Compression(String shown) {
    this.shown = shown;
  }

  /** For people. */
  @Override
  public String toString() {
    return shown;
  }

  /**
   * Decompresses an input. The read methods of the result throw {@link DamagedInputException} where
   * the input is damaged.
   *
   * @throws InputException if the compression is not supported
   */
  public static InputStream decompress(InputStream raw) throws IOException {
    PushbackInputStream in = new PushbackInputStream(raw, MAGIC_BYTES);
    byte[] start = in.readNBytes(MAGIC_BYTES);
    in.unread(start);
    return switch (of(start)) {
      case GZIP -> new GzipStream(in);
      case ZSTD -> new ZstdStream(in);
      case NONE -> in;
    };
  }

  /** Whether a file is not compressed. */
  public static boolean isPlain(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in.readNBytes(MAGIC_BYTES)) == NONE;
    }
  }

  /**
   * How bytes that begin so are packed.
   *
   * @param start six bytes, fewer if there are no more
   */
  static Compression of(byte[] start) throws InputException {
    long magic = 0;
    for (int i = 0; i < MAGIC_BYTES; i++) {
      magic = (magic << 8) | (i < start.length ? start[i] & 0xff : 0);
    }
    if (magic >>> 32 == 0x1f8b) {
      return GZIP;
    }
    // A frame, or one of the frames to skip that parallel writers put first.
    if (magic >>> 16 == 0x28b52ffdL || ((magic >>> 16) & 0xf0ffffffL) == 0x502a4d18L) {
      return ZSTD;
    }
    if (magic == 0xfd377a585a00L) {
      throw unread("xz", "xz");
    }
    // A metric may begin with BZh; behind these letters and a digit comes a block or the end.
    if (magic >>> 24 == 0x425a68 && ((magic & 0xffff) == 0x3141 || (magic & 0xffff) == 0x1772)) {
      throw unread("bzip2", "bzip2");
    }
    if (magic >>> 16 == 0x04224d18L) {
      throw unread("lz4", "lz4");
    }
    if (magic >>> 16 == 0x504b0304L) {
      throw unread("zip", "unzip");
    }
    return NONE;
  }

  private static InputException unread(String packing, String program) {
    String options = program.equals("unzip") ? " -p" : " -dc";
    return new InputException(
        "it is compressed with "
            + packing
            + ", which is not supported: decompress it into a pipe, "
            + program
            + options
            + " FILE | packhorse load -");
  }

  /** Reports damage as {@link DamagedInputException}. */
  private static final class ZstdStream extends FilterInputStream {
    ZstdStream(InputStream packed) throws IOException {
      super(new ZstdInputStreamNoFinalizer(packed));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      try {
        return super.read(into, from, length);
      } catch (ZstdIOException e) {
        throw new DamagedInputException("damaged zstd: " + e.getMessage());
      }
    }
  }
}
