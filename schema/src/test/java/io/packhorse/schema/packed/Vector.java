package io.packhorse.schema.packed;

import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A cell as text: why it is there, its points or where it is malformed, its bytes with a remark for
 * each field.
 *
 * <pre>
 *   # why: a full hour of minutes, constant
 *   base_time  1356998400
 *   point      +0ms int 42
 *   point      +60000ms double 0x4045000000000000
 *   malformed  offset 3
 *   cell       A1        version
 *              00        flags
 * </pre>
 *
 * @param file for messages
 * @param points empty for a malformed cell
 * @param malformedAt offset that readers name, or -1
 */
record Vector(String file, String why, PointBlock points, int malformedAt, byte[] cell) {
  static final Path ROOT = Path.of("src", "test", "resources", "vectors", "packed-v1");

  private static final Pattern POINT =
      Pattern.compile("point +\\+(\\d+)ms (int|double) (-?\\d+|0x[0-9a-f]{16})");
  private static final Pattern MALFORMED = Pattern.compile("malformed +offset (\\d+)");
  private static final Pattern BYTES =
      Pattern.compile("(?:cell)? +([0-9A-F]{2}(?: [0-9A-F]{2})*)(?:  +\\S.*)?");

  /** All vectors of a folder, by name. */
  static List<Vector> all(String folder) throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
      return files.sorted().map(Vector::read).toList();
    }
  }

  private static Vector read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String why = "";
    int malformedAt = -1;
    PointBlock points = new PointBlock(0);
    StringBuilder hex = new StringBuilder();
    for (String line : lines) {
      Matcher point = POINT.matcher(line);
      Matcher malformed = MALFORMED.matcher(line);
      Matcher bytes = BYTES.matcher(line);
      if (line.startsWith("# why: ")) {
        why = line.substring("# why: ".length());
      } else if (point.matches()) {
        addPoint(point, points);
      } else if (malformed.matches()) {
        malformedAt = Integer.parseInt(malformed.group(1));
      } else if (bytes.matches()) {
        hex.append(bytes.group(1).replace(" ", ""));
      } else if (!line.startsWith("base_time  ")) {
        throw new IllegalStateException(file + ": line not understood: " + line);
      }
    }
    return new Vector(
        String.valueOf(file.getFileName()), why, points, malformedAt, HexFormat.of().parseHex(hex));
  }

  private static void addPoint(Matcher point, PointBlock points) {
    int offset = Integer.parseInt(point.group(1));
    String value = point.group(3);
    if (point.group(2).equals("int")) {
      points.addLong(offset, Long.parseLong(value));
    } else {
      points.addDouble(offset, Long.parseUnsignedLong(value.substring(2), 16));
    }
  }

  /** The text, with these remarks for the bytes up to each position. */
  String text(List<Integer> ends, List<String> remarks) {
    List<String> lines = new ArrayList<>();
    lines.add("# why: " + why);
    lines.add("base_time  1356998400");
    for (int i = 0; i < points.count(); i++) {
      long bits = points.values()[i];
      lines.add(
          "point      +"
              + points.offsetsMs()[i]
              + (points.isDouble()[i]
                  ? "ms double 0x" + HexFormat.of().toHexDigits(bits)
                  : "ms int " + bits));
    }
    if (malformedAt >= 0) {
      lines.add("malformed  offset " + malformedAt);
    }
    HexFormat spaced = HexFormat.ofDelimiter(" ").withUpperCase();
    int from = 0;
    for (int i = 0; i < ends.size(); i++) {
      int end = ends.get(i);
      for (int at = from; at < end; at += 16) {
        String bytes = spaced.formatHex(cell, at, Math.min(end, at + 16));
        String start = at == 0 ? "cell       " : "           ";
        lines.add(start + bytes + (at == from ? "  " + remarks.get(i) : ""));
      }
      from = end;
    }
    return String.join("\n", lines) + "\n";
  }
}
