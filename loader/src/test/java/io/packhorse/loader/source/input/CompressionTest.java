package io.packhorse.loader.source.input;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CompressionTest {
  private static final byte[] TEXT = "m 1356998400 42 host=a\n".repeat(3000).getBytes(US_ASCII);

  @Test
  void leavesPlainBytesAlone() throws IOException {
    byte[] letters = "BZh9.temp 1356998400 42 host=a\n".getBytes(US_ASCII);
    for (byte[] plain : new byte[][] {TEXT, letters, {}, {'m'}, {0x1f}, {0x28, (byte) 0xb5}}) {
      assertArrayEquals(plain, unpack(plain));
    }
  }

  @Test
  void unpacksGzip() throws IOException {
    assertArrayEquals(TEXT, unpack(GzipStreamTest.gzip(TEXT)));
  }

  @Test
  void unpacksZstdFramesOneAfterTheOther() throws IOException {
    byte[] skippable = {0x51, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 'x', 'y'};
    byte[] packed = GzipStreamTest.concat(skippable, zstd(TEXT), zstd(new byte[0]), zstd(TEXT));
    assertArrayEquals(GzipStreamTest.concat(TEXT, TEXT), unpack(packed));
  }

  @Test
  void refusesEveryCutOfZstd() throws IOException {
    byte[] first = zstd(Arrays.copyOf(TEXT, 500));
    byte[] packed = GzipStreamTest.concat(first, zstd(Arrays.copyOf(TEXT, 300)));
    for (int length = 4; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      if (length != first.length) {
        assertThrows(DamagedInputException.class, () -> unpack(cut), "length " + length);
      }
    }
  }

  @Test
  void neverGivesOtherTextForDamagedZstd() throws IOException {
    byte[] text = new byte[200];
    new Random(4).nextBytes(text);
    byte[] packed = zstd(text);
    for (int i = 4; i < packed.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = packed.clone();
        damaged[i] ^= (byte) (1 << bit);
        byte[] found;
        try {
          found = unpack(damaged);
        } catch (DamagedInputException e) {
          continue;
        }
        assertArrayEquals(text, found, "byte " + i + ", bit " + bit);
      }
    }
  }

  @Test
  void refusesForeignBytesBehindAFrame() throws IOException {
    byte[] packed = GzipStreamTest.concat(zstd(TEXT), "junk".getBytes(US_ASCII));
    assertThrows(DamagedInputException.class, () -> unpack(packed));
  }

  @ParameterizedTest
  @CsvSource({
    "fd377a585a00,xz -dc FILE",
    "425a68393141,bzip2 -dc FILE",
    "425a68391772,bzip2 -dc FILE",
    "04224d186440,lz4 -dc FILE",
    "504b03041400,unzip -p FILE"
  })
  void saysHowToUnpackWhatItDoesNotRead(String magic, String program) {
    byte[] packed = java.util.HexFormat.of().parseHex(magic);
    InputException e = assertThrows(InputException.class, () -> unpack(packed));
    assertTrue(String.valueOf(e.getMessage()).contains(program), e::toString);
  }

  private static byte[] zstd(byte[] text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(packed)) {
      out.setChecksum(true);
      out.setLevel(Zstd.defaultCompressionLevel());
      out.write(text);
    }
    return packed.toByteArray();
  }

  private static byte[] unpack(byte[] packed) throws IOException {
    try (InputStream in = Compression.decompress(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }
}
