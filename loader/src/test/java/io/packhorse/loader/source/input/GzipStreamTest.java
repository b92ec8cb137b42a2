package io.packhorse.loader.source.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

public final class GzipStreamTest {
  private static final byte[] TEXT = text(5000);

  @Test
  void unpacksOneMember() throws IOException {
    assertArrayEquals(TEXT, unpack(new ByteArrayInputStream(gzip(TEXT))));
  }

  @Test
  void unpacksManyMembersThroughASlowPipe() throws IOException {
    byte[] packed = concat(gzip(TEXT), gzip(new byte[0]), gzip(text(3)), gzip(TEXT));
    assertArrayEquals(concat(TEXT, text(3), TEXT), unpack(new ByteByByte(packed)));
  }

  @Test
  void passesOverOptionalHeaderFields() throws IOException {
    byte[] plain = gzip(TEXT);
    byte[] fields = {3, 0, 'x', 'y', 'z', 'n', 'a', 'm', 'e', 0, 'c', 0, 0x12, 0x34};
    byte[] header = Arrays.copyOf(plain, 10);
    header[3] = 2 | 4 | 8 | 16;
    byte[] packed = concat(header, fields, Arrays.copyOfRange(plain, 10, plain.length));
    assertArrayEquals(TEXT, unpack(new ByteArrayInputStream(packed)));
  }

  @Test
  void unpacksALargeText() throws IOException {
    byte[] large = new byte[3 << 20];
    new Random(5).nextBytes(large);
    assertArrayEquals(large, unpack(new ByteArrayInputStream(gzip(large))));
  }

  @Test
  void refusesEveryCut() throws IOException {
    byte[] first = gzip(text(4));
    byte[] packed = concat(first, gzip(text(5)));
    for (int length = 1; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      if (length != first.length) {
        assertThrows(
            IOException.class, () -> unpack(new ByteArrayInputStream(cut)), "length " + length);
      }
    }
  }

  @Test
  void neverGivesOtherTextForDamagedBytes() throws IOException {
    byte[] expected = text(6);
    byte[] packed = gzip(expected);
    for (int i = 0; i < packed.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = packed.clone();
        damaged[i] ^= (byte) (1 << bit);
        byte[] found;
        try {
          found = unpack(new ByteArrayInputStream(damaged));
        } catch (IOException e) {
          continue;
        }
        assertArrayEquals(expected, found, "byte " + i + ", bit " + bit);
      }
    }
  }

  @Test
  void refusesForeignBytesBehindAMember() throws IOException {
    for (String foreign : new String[] {"x", "\u001f", "junk", "\0\0\0\0\0\0\0\0\0\0\0\0"}) {
      byte[] packed = concat(gzip(TEXT), foreign.getBytes(StandardCharsets.ISO_8859_1));
      IOException e =
          assertThrows(IOException.class, () -> unpack(new ByteArrayInputStream(packed)));
      assertTrue(String.valueOf(e.getMessage()).contains("gzip"), e::toString);
    }
  }

  public static byte[] gzip(byte[] text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text);
    }
    return packed.toByteArray();
  }

  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      whole.writeBytes(part);
    }
    return whole.toByteArray();
  }

  private static byte[] unpack(InputStream packed) throws IOException {
    try (GzipStream in = new GzipStream(packed)) {
      return in.readAllBytes();
    }
  }

  private static byte[] text(int lines) {
    StringBuilder text = new StringBuilder();
    CRC32 noise = new CRC32();
    for (int i = 0; i < lines; i++) {
      noise.update(i);
      text.append("m ").append(1_356_998_400 + i).append(' ').append(noise.getValue());
      text.append(" host=a\n");
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** A pipe whose writer is slow: a byte a read, never anything available. */
  private static final class ByteByByte extends InputStream {
    private final byte[] bytes;
    private int at;

    ByteByByte(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return at == bytes.length ? -1 : bytes[at++] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      if (at == bytes.length) {
        return -1;
      }
      into[from] = bytes[at++];
      return 1;
    }
  }
}
