package net.opentsdb.tsd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients that may use a TSD: a file with a line {@code NAME ROLE TOKEN} each.
 *
 * <p>ROLE is {@code read}, {@code write} or {@code admin}. TOKEN has 16 characters or more, or is
 * {@code sha256:} and the hexadecimal SHA-256 of the token. Blank lines and lines that begin with #
 * are ignored. A changed file is read again within a second; if it cannot be read then, the last
 * readable state stays in force and the log says so. Any thread.
 */
@NullMarked
final class TokenFile {
  private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
  private static final int TOKEN_CHARS_MIN = 16;
  private static final String HASHED = "sha256:";
  private static final long CHECK_NANOS = 1_000_000_000;

  private record Client(String name, Role role, byte[] tokenHash) {}

  private record State(List<Client> clients, FileTime modified, long bytes) {}

  private final Path file;
  private volatile State state;
  private volatile long checkedNanos = System.nanoTime();

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException naming the file and the reason, if it cannot be used
   */
  TokenFile(Path file) {
    this.file = file;
    this.state = load();
  }

  /**
   * The role of a client.
   *
   * @param name as the client gives it; null if it gives only a token
   * @return null if the token is unknown or belongs to another name
   */
  @Nullable Role roleOf(@Nullable String name, String token) {
    reloadIfChanged();
    byte[] presented = sha256(token.getBytes(StandardCharsets.UTF_8));
    Role found = null;
    // All entries are compared, each in constant time: the time taken tells nothing about a token.
    for (Client client : state.clients()) {
      boolean equal = MessageDigest.isEqual(client.tokenHash(), presented);
      if (equal && (name == null || name.equals(client.name()))) {
        found = client.role();
      }
    }
    return found;
  }

  private void reloadIfChanged() {
    long now = System.nanoTime();
    if (now - checkedNanos < CHECK_NANOS) {
      return;
    }
    checkedNanos = now;
    try {
      State current = state;
      if (Files.getLastModifiedTime(file).equals(current.modified())
          && Files.size(file) == current.bytes()) {
        return;
      }
      state = load();
      LOG.info("Read the changed token file {}", file);
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("Keeping the tokens read before: {}", e.toString());
    }
  }

  private State load() {
    try {
      requirePrivate();
      FileTime modified = Files.getLastModifiedTime(file);
      long bytes = Files.size(file);
      List<Client> clients = new ArrayList<>();
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).strip();
        if (!line.isEmpty() && !line.startsWith("#")) {
          clients.add(parse(line, i + 1));
        }
      }
      return new State(List.copyOf(clients), modified, bytes);
    } catch (IOException e) {
      throw new IllegalArgumentException("Cannot read the token file " + file + ": " + e, e);
    }
  }

  private void requirePrivate() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    if (permissions.contains(PosixFilePermission.OTHERS_READ)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IllegalArgumentException(
          "The token file " + file + " is open to all users of the machine; chmod o-rwx it");
    }
  }

  private Client parse(String line, int number) {
    String[] words = line.split("\\s+", -1);
    if (words.length != 3) {
      throw broken(number, "expected NAME ROLE TOKEN");
    }
    Role role;
    try {
      role = Role.valueOf(words[1].toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw broken(number, "the role is read, write or admin, not " + words[1]);
    }
    return new Client(words[0], role, hash(words[2], number));
  }

  private byte[] hash(String token, int number) {
    if (token.startsWith(HASHED)) {
      String hex = token.substring(HASHED.length());
      if (!hex.matches("[0-9a-fA-F]{64}")) {
        throw broken(number, "sha256: needs 64 hexadecimal digits");
      }
      return HexFormat.of().parseHex(hex);
    }
    if (token.length() < TOKEN_CHARS_MIN) {
      throw broken(number, "a token needs at least " + TOKEN_CHARS_MIN + " characters");
    }
    return sha256(token.getBytes(StandardCharsets.UTF_8));
  }

  private IllegalArgumentException broken(int line, String rule) {
    return new IllegalArgumentException("Token file " + file + ", line " + line + ": " + rule);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
