package io.packhorse.loader.source.text;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The beginning of an input, unpacked, to find out from what it is.
 *
 * @param name of the input
 * @param bytes only read, up to {@code length}, which is behind the byte order mark's
 * @param from first byte to look at
 * @param length of the input if it is whole, else at least a line unless lines are too long
 * @param whole whether the input ends there
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Head(String name, byte[] bytes, int from, int length, boolean whole) {
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
