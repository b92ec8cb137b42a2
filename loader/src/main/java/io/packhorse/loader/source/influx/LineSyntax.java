package io.packhorse.loader.source.influx;

import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Finds the ends of the parts of a line. A backslash escapes the separator after it. */
final class LineSyntax {
  private LineSyntax() {}

  /** Index of the space after measurement and tags, or {@code to}. */
  static int endOfKey(byte[] buffer, int from, int to) {
    return end(buffer, from, to, (byte) ' ', (byte) ' ');
  }

  /** Index of the equals sign after the name of a field that has one, or -1. */
  static int endOfName(byte[] buffer, int from, int to) {
    int end = end(buffer, from, to, (byte) '=', (byte) ' ');
    return end > from && end < to && buffer[end] == '=' ? end : -1;
  }

  /**
   * Index after the value of a field, at a comma, a blank or {@code to}; or -1 if it is malformed.
   */
  static int endOfValue(byte[] buffer, int from, int to) {
    int end = from;
    if (from < to && buffer[from] == '"') {
      end++;
      while (end < to && buffer[end] != '"') {
        end += buffer[end] == '\\' ? 2 : 1;
      }
      if (end >= to) {
        return -1;
      }
      end++;
      return end == to || buffer[end] == ',' || buffer[end] == ' ' ? end : -1;
    }
    while (end < to && buffer[end] != ',' && buffer[end] != ' ') {
      end++;
    }
    return end > from ? end : -1;
  }

  /** Index of the comma after the measurement, or {@code to}. */
  static int endOfMeasurement(byte[] buffer, int from, int to) {
    return end(buffer, from, to, (byte) ',', (byte) ',');
  }

  private static int end(byte[] buffer, int from, int to, byte one, byte other) {
    int at = from;
    while (at < to && buffer[at] != one && buffer[at] != other) {
      at += buffer[at] == '\\' ? 2 : 1;
    }
    return Math.min(at, to);
  }

  /**
   * Passes each tag of {@code ,key=value,key=value} to a reader, until it returns false.
   *
   * @return whether the reader accepted all; null if one is malformed
   */
  static @Nullable Boolean tags(String text, BiPredicate<String, String> reader) {
    int at = 0;
    while (at < text.length()) {
      int equals = end(text, at + 1, '=');
      int end = end(text, Math.min(equals + 1, text.length()), ',');
      if (equals == at + 1 || equals >= text.length() || end == equals + 1) {
        return null;
      }
      if (!reader.test(
          plain(text.substring(at + 1, equals)), plain(text.substring(equals + 1, end)))) {
        return false;
      }
      at = end;
    }
    return true;
  }

  private static int end(String text, int from, char separator) {
    int at = from;
    while (at < text.length() && text.charAt(at) != separator) {
      // A comma before the equals sign: this tag has no value.
      if (separator == '=' && text.charAt(at) == ',') {
        return text.length();
      }
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at, text.length());
  }

  /** A name without the backslashes before separators. */
  static String plain(String name) {
    if (name.indexOf('\\') < 0) {
      return name;
    }
    StringBuilder plain = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      boolean escape =
          name.charAt(i) == '\\' && i + 1 < name.length() && ",= ".indexOf(name.charAt(i + 1)) >= 0;
      plain.append(escape ? name.charAt(++i) : name.charAt(i));
    }
    return plain.toString();
  }
}
