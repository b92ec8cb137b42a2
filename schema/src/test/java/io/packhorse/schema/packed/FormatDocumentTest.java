package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds docs/format.md to its word: the worked examples and the sums. */
class FormatDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "format.md");
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```packed-cell\n(.*?)```");
  private static final Pattern POINT =
      Pattern.compile("point +\\+(\\d+) ms +(int|double) ([-0-9.]+)");
  private static final Pattern RUN =
      Pattern.compile(
          "run +(\\d+) points from \\+(\\d+) ms every (\\d+) ms, int (-?\\d+) rising by (-?\\d+)");
  private static final Pattern BYTES =
      Pattern.compile("(?:cell)? +((?:[0-9A-F]{2} )+) *(?:x(\\d+) +)?([^ ].*)");

  private record Example(String text, PointBlock points, byte[] cell) {}

  @Test
  void everyExampleDecodesToItsPoints() throws IOException, MalformedCellException {
    PackedCellDecoder decoder = new PackedCellDecoder();
    PointBlock back = new PointBlock();
    for (Example example : examples()) {
      decoder.decode(example.cell(), back);
      assertEquals(example.points(), back, example.text());
      assertEquals(example.points().doubles(), back.doubles(), example.text());
    }
  }

  @Test
  void everyExampleIsWhatTheEncoderWrites() throws IOException {
    PackedCellEncoder encoder = new PackedCellEncoder();
    for (Example example : examples()) {
      assertArrayEquals(example.cell(), encoder.encode(example.points()), example.text());
    }
  }

  @Test
  void theExamplesShowEveryEncoding() throws IOException {
    List<Example> examples = examples();
    assertEquals(10, examples.size());
    for (String name :
        List.of(
            "from base",
            "full hour",
            "regular, step code",
            "holes",
            "list",
            "plain",
            "constant",
            "fields",
            "radix",
            "steps",
            "decimals",
            "milliseconds",
            "statistics, checksum",
            "CRC32C")) {
      assertTrue(examples.stream().anyMatch(e -> e.text().contains(name)), name);
    }
  }

  @Test
  void theLimitsAreTheSumsWrittenDown() throws IOException {
    String document = Files.readString(DOCUMENT);
    int most = PackedCellEncoder.MAX_POINTS;
    int statistics = 8 + 3 + 1 + 5 * 8 + 2;
    int list = 1 + 4 + 1 + BitPacking.bytes(most, 22);
    int kinds = 1 + 1 + 1 + BitPacking.bytes(most, 1);
    int runs = 8 * most + 12 + 13;
    int largest = 1 + 1 + 1 + 3 + statistics + list + kinds + runs + 4;
    assertTrue(document.contains(format("| %,d |", largest)), "largest cell " + largest);
    int hour = 1 + 1 + 1 + statistics + 8 * 3600 + 12 + 4;
    assertTrue(document.contains(format("| %,d |", hour)), "largest hour " + hour);
    assertTrue(document.contains(format("| %d |", statistics)), "statistics " + statistics);

    PointBlock smallest = new PointBlock(1);
    smallest.addLong(0, 1);
    assertEquals(5, new PackedCellEncoder().encode(smallest).length);
  }

  @Test
  void noCellIsLargerThanTheLimit() {
    SplittableRandom random = new SplittableRandom(42);
    PackedCellEncoder encoder = new PackedCellEncoder();
    int worst = 0;
    for (int kind = 0; kind < 3; kind++) {
      PointBlock block = new PointBlock(PackedCellEncoder.MAX_POINTS);
      int offset = random.nextInt(50);
      for (int i = 0; i < PackedCellEncoder.MAX_POINTS; i++) {
        block.add(offset, random.nextLong(), kind == 1 || (kind == 2 && random.nextBoolean()));
        offset += 1 + random.nextInt(53);
      }
      worst = Math.max(worst, encoder.encode(block).length);
    }
    assertTrue(worst <= 712_802, "worst=" + worst);
    assertTrue(worst > 524_288, "the blocks must be hard to pack: worst=" + worst);
    PointBlock hour = new PointBlock();
    for (int i = 0; i < 3600; i++) {
      hour.addLong(1000 * i, i % 2 == 0 ? Long.MIN_VALUE + i : Long.MAX_VALUE - i);
    }
    assertTrue(encoder.encode(hour).length <= 28_873);
  }

  private static String format(String pattern, int bytes) {
    return String.format(Locale.ROOT, pattern, bytes);
  }

  private static List<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    Matcher matcher = EXAMPLE.matcher(Files.readString(DOCUMENT));
    while (matcher.find()) {
      examples.add(parse(matcher.group(1)));
    }
    assertFalse(examples.isEmpty(), "no example found in " + DOCUMENT);
    return examples;
  }

  private static Example parse(String text) {
    PointBlock points = new PointBlock();
    StringBuilder hex = new StringBuilder();
    text.lines()
        .forEach(
            line -> {
              Matcher point = POINT.matcher(line);
              Matcher run = RUN.matcher(line);
              Matcher bytes = BYTES.matcher(line);
              if (point.matches()) {
                addPoint(points, point);
              } else if (run.matches()) {
                addRun(points, run);
              } else if (bytes.matches()) {
                String once = bytes.group(1).replace(" ", "");
                String times = bytes.group(2);
                hex.append(once.repeat(times == null ? 1 : Integer.parseInt(times)));
              } else {
                throw new AssertionError("line of an example not understood: " + line);
              }
            });
    return new Example(text, points, HexFormat.of().parseHex(hex));
  }

  private static void addPoint(PointBlock points, Matcher point) {
    int offset = Integer.parseInt(point.group(1));
    if (point.group(2).equals("int")) {
      points.addLong(offset, Long.parseLong(point.group(3)));
    } else {
      points.addDouble(offset, Double.doubleToRawLongBits(Double.parseDouble(point.group(3))));
    }
  }

  private static void addRun(PointBlock points, Matcher run) {
    int count = Integer.parseInt(run.group(1));
    int first = Integer.parseInt(run.group(2));
    int step = Integer.parseInt(run.group(3));
    long value = Long.parseLong(run.group(4));
    long rise = Long.parseLong(run.group(5));
    for (int i = 0; i < count; i++) {
      points.addLong(first + i * step, value + i * rise);
    }
  }
}
