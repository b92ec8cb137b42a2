package io.packhorse.loader.source.text;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The beginning of an input, uncompressed, from which its format is detected.
 *
 * @param name of the input
 * @param bytes not changed; valid up to {@code length}
 * @param from first byte after a byte order mark
 * @param length of the whole input, or of a beginning of at least a line unless lines are too long
 * @param whole whether the input ends there
 * @param file that it is, whose path may say more about it; empty for a pipe
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record InputHead(
    String name, byte[] bytes, int from, int length, boolean whole, Optional<Path> file) {
  /** The beginning of an input that is not a file. */
  public InputHead(String name, byte[] bytes, int from, int length, boolean whole) {
    this(name, bytes, from, length, whole, Optional.empty());
  }

  /** All of it; bytes that are not UTF-8 are replaced. */
  public String text() {
    return new String(bytes, from, length - from, StandardCharsets.UTF_8);
  }

  /** The whole lines, without line ends; bytes that are not UTF-8 are replaced. */
  public List<String> lines() {
    int end = length;
    if (!whole) {
      while (end > from && bytes[end - 1] != '\n') {
        end--;
      }
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8).lines().toList();
  }
}
