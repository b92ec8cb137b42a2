package io.packhorse.schema.packed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Writes the methods of {@link RadixDigits} that differ in nothing but the number of digits. Run it
 * in the module's folder after a change here; a test compares the file with what it generates.
 */
final class RadixDigitsGenerator {
  static final Path FILE =
      Path.of("src", "main", "java", "io", "packhorse", "schema", "packed", "RadixDigits.java");

  /** Sizes of the groups that the digits of a word are computed in, by the digits of a word. */
  private static final Map<Integer, List<Integer>> GROUPS =
      new TreeMap<>(
          Map.of(
              2, List.of(2),
              3, List.of(3),
              4, List.of(2, 2),
              5, List.of(3, 2),
              6, List.of(3, 3),
              7, List.of(3, 2, 2),
              8, List.of(3, 3, 2),
              9, List.of(3, 3, 3),
              11, List.of(3, 3, 3, 2)));

  /** Sums of longer words are no faster with a method of their own. */
  private static final int SUM_DIGITS_MAX = 7;

  /** Words per iteration of those of three digits, the most common ones. */
  private static final int THREES_AT_ONCE = 4;

  /** R^i by i: name and product of those before. */
  private static final Map<Integer, List<String>> POWERS =
      new TreeMap<>(
          Map.of(
              2, List.of("square", "radix * radix"),
              3, List.of("cube", "radix * radix * radix"),
              5, List.of("fifth", "cube * radix * radix"),
              6, List.of("sixth", "cube * cube"),
              9, List.of("ninth", "sixth * cube")));

  private RadixDigitsGenerator() {}

  public static void main(String[] args) throws IOException {
    Files.writeString(FILE, generate(Files.readString(FILE)));
  }

  /** The text of the file with its generated parts made anew. */
  static String generate(String source) {
    StringBuilder reads = new StringBuilder();
    StringBuilder sums = new StringBuilder();
    for (int digits : GROUPS.keySet()) {
      reads.append(method(false, digits));
      if (digits <= SUM_DIGITS_MAX) {
        sums.append(method(true, digits));
      }
    }
    return replace(replace(source, "read", reads), "sum", sums);
  }

  private static String replace(String source, String part, CharSequence methods) {
    String begin = "  // Begin of the generated " + part + " methods.\n\n";
    String end = "  // End of the generated " + part + " methods.\n";
    int from = source.indexOf(begin) + begin.length();
    int to = source.indexOf(end, from);
    if (from < begin.length() || to < 0) {
      throw new IllegalStateException(FILE + " must have the lines: " + begin + end);
    }
    return source.substring(0, from) + methods + source.substring(to);
  }

  /** The loop over the words of so many digits; with {@code sum}, each value is a running sum. */
  private static String method(boolean sum, int digits) {
    StringBuilder out = new StringBuilder(signature(sum, digits));
    line(out, 4, "long mask = (1L << width) - 1;");
    int place = 0;
    for (int group : groups(digits)) {
      place += group;
      if (place < digits) {
        declarePower(out, place);
      }
    }
    if (sum) {
      line(out, 4, "long sum = value;");
    }
    line(out, 4, "int bit = start;");
    if (digits == 3) {
      line(out, 4, "int at = from;");
      int step = THREES_AT_ONCE * digits;
      line(
          out,
          4,
          "for (; at < to - %d; at += %d, bit += %d * width) {"
              .formatted(step - 1, step, THREES_AT_ONCE));
      for (int word = 0; word < THREES_AT_ONCE; word++) {
        line(out, 6, "long f%d = %s;".formatted(word, fraction(word)));
      }
      for (int word = 0; word < THREES_AT_ONCE; word++) {
        line(out, 6, group(sum, 3, "f" + word, word * digits));
      }
      line(out, 4, "}");
      line(out, 4, "for (; at < to; at += 3, bit += width) {");
    } else {
      line(out, 4, "for (int at = from; at < to; at += %d, bit += width) {".formatted(digits));
    }
    line(out, 6, "long fraction = fraction(bytes, bit, mask);");
    place = 0;
    for (int group : groups(digits)) {
      String from = place == 0 ? "fraction" : "fraction * %s & mask".formatted(power(place).get(0));
      line(out, 6, group(sum, group, from, place));
      place += group;
    }
    line(out, 4, "}");
    if (sum) {
      line(out, 4, "return sum;");
    }
    line(out, 2, "}");
    return out.append('\n').toString();
  }

  private static String signature(boolean sum, int digits) {
    if (!sum) {
      return """
        private static void read%d(
            byte[] bytes, int start, int width, long radix, long[] values, int from, int to) {
      """
          .formatted(digits);
    }
    return """
      private static long sum%d(
          byte[] bytes,
          int start,
          int width,
          long base,
          long radix,
          long value,
          long[] values,
          int from,
          int to) {
    """
        .formatted(digits);
  }

  private static List<Integer> groups(int digits) {
    return Objects.requireNonNull(GROUPS.get(digits));
  }

  private static List<String> power(int exponent) {
    return Objects.requireNonNull(POWERS.get(exponent));
  }

  private static void declarePower(StringBuilder out, int exponent) {
    List<String> power = power(exponent);
    line(out, 4, "long %s = %s;".formatted(power.get(0), power.get(1)));
  }

  private static String fraction(int word) {
    String bit = word == 0 ? "bit" : word == 1 ? "bit + width" : "bit + " + word + " * width";
    return "fraction(bytes, " + bit + ", mask)";
  }

  private static String group(boolean sum, int size, String fraction, int place) {
    String at = place == 0 ? "at" : "at + " + place;
    return sum
        ? "sum = sumGroup%d(%s, mask, width, base, radix, sum, values, %s);"
            .formatted(size, fraction, at)
        : "group%d(%s, mask, width, radix, values, %s);".formatted(size, fraction, at);
  }

  private static void line(StringBuilder out, int indent, String text) {
    out.append(" ".repeat(indent)).append(text).append('\n');
  }
}
