package io.packhorse.loader.cli;

import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.OperationException;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.CellField;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellDump;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cell dump}: what the bytes of a cell mean. */
@Command(
    name = "dump",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Explain a packed cell field by field.",
      "The bytes are those of the value in HBase, two hexadecimal digits each.",
    },
    footer = {
      "",
      "Example:",
      "  packhorse cell dump --points C128103C1008AC03091E1CA835012003",
    })
final class CellDumpCommand implements Callable<Integer> {
  /** Most bytes shown of a field. */
  private static final int SHOWN = 8;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(
      paramLabel = "HEX",
      arity = "1..*",
      description = "The cell; blanks between bytes and a leading 0x are ignored.")
  @SuppressWarnings("NullAway.Init")
  private List<String> hex;

  @Option(names = "--points", description = "Also show the points.")
  private boolean showPoints;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    byte[] cell = bytes(String.join("", hex));
    PointBlock points = new PointBlock(0);
    PackedCellDump dump;
    try {
      new PackedCellDecoder().decode(cell, points);
      dump = PackedCellDump.of(cell);
    } catch (MalformedCellException e) {
      throw new OperationException(
          OperationException.Kind.USAGE,
          "These " + cell.length + " bytes are not a packed cell: " + e.getMessage() + ".",
          e);
    }
    PrintWriter out = command.commandLine().getOut();
    json.print(
        command,
        ExitCode.OK,
        Map.of("points", showPoints),
        result(cell, dump, points),
        () -> print(cell, dump, points, out));
    return ExitCode.OK.code();
  }

  private static byte[] bytes(String text) {
    String digits = text.replaceAll("\\s", "").replaceFirst("^0[xX]", "");
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw new OperationException(
          OperationException.Kind.USAGE,
          "A cell is written as two hexadecimal digits for each byte, nothing else; found: "
              + (digits.length() > 40 ? digits.substring(0, 40) + "..." : digits),
          e);
    }
  }

  private static String hex(byte[] cell, CellField field) {
    HexFormat spaced = HexFormat.ofDelimiter(" ").withUpperCase();
    return field.to() - field.from() > SHOWN
        ? spaced.formatHex(cell, field.from(), field.from() + SHOWN) + " ..."
        : spaced.formatHex(cell, field.from(), field.to());
  }

  private void print(byte[] cell, PackedCellDump dump, PointBlock points, PrintWriter out) {
    out.printf("%6s %6s  %-27s  %s%n", "offset", "bytes", "", "field");
    for (CellField field : dump.fields()) {
      out.printf(
          "%6d %6d  %-27s  %s: %s%n",
          field.from(), field.to() - field.from(), hex(cell, field), field.name(), field.meaning());
    }
    out.printf(
        "%n%s in %s bytes, %s a point%n",
        HumanNumbers.count(points.count(), "point", "points"),
        HumanNumbers.count(cell.length),
        HumanNumbers.ratio((double) cell.length / points.count()));
    for (int i = 0; showPoints && i < points.count(); i++) {
      out.printf(
          "  +%d ms  %s %s%n",
          points.offsetsMs()[i], points.isDouble()[i] ? "double" : "int", value(points, i));
    }
  }

  private static String value(PointBlock points, int index) {
    long bits = points.values()[index];
    if (!points.isDouble()[index]) {
      return Long.toString(bits);
    }
    double value = Double.longBitsToDouble(bits);
    // NaNs differ in their payload.
    return Double.isNaN(value) ? "NaN 0x" + Long.toHexString(bits) : Double.toString(value);
  }

  private Map<String, Object> result(byte[] cell, PackedCellDump dump, PointBlock points) {
    List<Map<String, Object>> fields = new ArrayList<>();
    for (CellField field : dump.fields()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("offset", field.from());
      each.put("bytes", field.to() - field.from());
      each.put("field", field.name());
      each.put("meaning", field.meaning());
      fields.add(each);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("bytes", cell.length);
    result.put("count", points.count());
    result.put("times", dump.times());
    result.put("values", dump.values());
    result.put("fields", fields);
    if (showPoints) {
      List<Map<String, Object>> all = new ArrayList<>();
      for (int i = 0; i < points.count(); i++) {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("offset_ms", points.offsetsMs()[i]);
        point.put("kind", points.isDouble()[i] ? "double" : "int");
        point.put("value", value(points, i));
        all.add(point);
      }
      result.put("points", all);
    }
    return result;
  }
}
