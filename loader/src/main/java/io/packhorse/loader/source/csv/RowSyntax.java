package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.text.InputHead;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the text of a table is divided.
 *
 * @param delimiter of fields; a blank stands for runs of blanks and tabs
 * @param widths of fields in characters instead; empty if they are separated
 * @param skipLines at the beginning that are not read
 * @param comment that lines begin with which are not read, not copied; null if only those before
 *     the first row that begin with {@link #HASH} are comments
 */
record RowSyntax(
    char delimiter, char quote, List<Integer> widths, int skipLines, byte @Nullable [] comment) {
  /** What comments at the beginning begin with, unless something else is stated. */
  static final char HASH = '#';

  /** Fields that a character separates. */
  static RowSyntax separated(char delimiter, char quote) {
    return new RowSyntax(delimiter, quote, List.of(), 0, null);
  }

  static RowSyntax of(TableMapping mapping) {
    List<Integer> widths = mapping.widths();
    Integer skipLines = mapping.skipLines();
    return new RowSyntax(
        mapping.delimiter().charAt(0),
        mapping.quote().charAt(0),
        widths == null ? List.of() : widths,
        skipLines == null ? 0 : skipLines,
        bytes(mapping.comment()));
  }

  /** A prefix of lines in UTF-8. */
  static byte @Nullable [] bytes(@Nullable String comment) {
    return comment == null ? null : comment.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether each line is a row, also if it has quotes. */
  boolean isByLine() {
    return delimiter == ' ' || !widths.isEmpty();
  }

  /** Whether the row {@code [from, to)} is a comment as stated. */
  boolean isComment(byte[] buffer, int from, int to) {
    byte[] prefix = comment;
    return prefix != null
        && to - from >= prefix.length
        && Arrays.equals(prefix, 0, prefix.length, buffer, from, from + prefix.length);
  }

  /**
   * Index of the first row of an input: behind the lines to skip, empty lines and comments.
   *
   * @param hashes whether lines with {@link #HASH} are comments if nothing is stated
   */
  int firstRow(InputHead head, boolean hashes) {
    int at = head.from();
    for (int line = 0; at < head.length(); line++) {
      int next = at;
      while (next < head.length() && head.bytes()[next] != '\n') {
        next++;
      }
      boolean skipped =
          line < skipLines
              || isComment(head.bytes(), at, next)
              || (comment == null && hashes && head.bytes()[at] == HASH)
              || isBlank(head.bytes(), at, next);
      if (!skipped) {
        return at;
      }
      at = Math.min(head.length(), next + 1);
    }
    return at;
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != '\r' && bytes[i] != ' ') {
        return false;
      }
    }
    return true;
  }
}
