package io.packhorse.benchmarks.cells;

import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Real values from a file that is not part of the repository: a line each, the value its last word;
 * words are separated by blanks, commas or semicolons, lines without a number at their end are
 * passed over. Values become integers if all are. Times are not read: blocks are evenly spaced.
 */
final class ValueFile {
  private static final Pattern LAST_WORD = Pattern.compile("([^\\s,;]+)[\\s,;]*$");
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");

  private final String name;
  private final boolean areDoubles;
  private final long[] bits;

  /**
   * Reads a file.
   *
   * @param name of its cases
   * @throws IOException if there are fewer than four values
   */
  ValueFile(String name, Path file) throws IOException {
    this.name = name;
    List<String> words = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      Matcher last = LAST_WORD.matcher(line);
      if (last.find() && isNumber(last.group(1))) {
        words.add(last.group(1));
      }
    }
    if (words.size() < 4) {
      throw new IOException(
          file + " has " + words.size() + " lines that end in a number; four are needed at least");
    }
    areDoubles = !words.stream().allMatch(word -> INTEGER.matcher(word).matches());
    bits = words.stream().mapToLong(this::bitsOf).toArray();
  }

  private static boolean isNumber(String word) {
    try {
      return !Double.isNaN(Double.parseDouble(word));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private long bitsOf(String word) {
    return areDoubles ? Double.doubleToRawLongBits(Double.parseDouble(word)) : Long.parseLong(word);
  }

  /** Whole blocks of so many points, what is over left out; one block if there are fewer. */
  CellCase blocks(int points) {
    List<PointBlock> blocks = new ArrayList<>();
    CellShape.addRegular(bits, bits.length, areDoubles, Math.min(points, bits.length), blocks);
    return new CellCase(name + "-" + points, blocks);
  }
}
