package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class TokenFileTest {
  private static final String TOKEN = "0123456789abcdef";

  @TempDir Path home = Path.of("");

  static Path write(Path file, String... lines) throws IOException {
    Files.write(file, List.of(lines));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
  }

  @Test
  void knowsTokensInPlainAndHashed() throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest("hashed-token-1".getBytes(StandardCharsets.UTF_8));
    TokenFile tokens =
        new TokenFile(
            write(
                home.resolve("t"),
                "# who may use this TSD",
                "",
                "a read " + TOKEN,
                "b ADMIN sha256:" + HexFormat.of().formatHex(hash)));
    assertEquals(Role.READ, tokens.roleOf(null, TOKEN));
    assertEquals(Role.READ, tokens.roleOf("a", TOKEN));
    assertNull(tokens.roleOf("b", TOKEN));
    assertEquals(Role.ADMIN, tokens.roleOf(null, "hashed-token-1"));
    assertNull(tokens.roleOf(null, ""));
    assertNull(tokens.roleOf(null, "sha256:" + HexFormat.of().formatHex(hash)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a read short",
        "a reader " + TOKEN,
        "a read",
        "a read sha256:12",
        "a read " + TOKEN + " b"
      })
  void refusesABrokenLine(String line) throws IOException {
    Path file = write(home.resolve("t"), "# first", line);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new TokenFile(file));
    assertTrue(String.valueOf(e.getMessage()).contains("line 2"), e.getMessage());
  }

  @Test
  void refusesAFileThatEveryoneCanRead() throws IOException {
    Path file = write(home.resolve("t"), "a read " + TOKEN);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new TokenFile(file));
    assertTrue(String.valueOf(e.getMessage()).contains("chmod o-rwx"), e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new TokenFile(home.resolve("missing")));
  }

  @Test
  void readsAChangedFileAndKeepsTheLastReadableOne() throws IOException {
    Path file = write(home.resolve("t"), "a read " + TOKEN);
    TokenFile tokens = new TokenFile(file);
    write(file, "a admin " + TOKEN + "-new");
    while (tokens.roleOf(null, TOKEN) != null) {
      Thread.onSpinWait();
    }
    assertEquals(Role.ADMIN, tokens.roleOf(null, TOKEN + "-new"));
    write(file, "no such line");
    long until = System.nanoTime() + 1_500_000_000;
    while (System.nanoTime() < until) {
      assertEquals(Role.ADMIN, tokens.roleOf(null, TOKEN + "-new"));
    }
  }
}
