package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellEncoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class CellDumpCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void explainsEveryByte() throws IOException {
    byte[] cell = cell(3600);
    assertEquals(0, run("cell", "dump", "--json", HexFormat.of().formatHex(cell)), err.toString());
    JsonNode result = new ObjectMapper().readTree(out.toString()).get("result");
    assertEquals(cell.length, result.get("bytes").asInt());
    assertEquals(3600, result.get("count").asInt());
    int bytes = 0;
    for (JsonNode field : result.get("fields")) {
      assertEquals(bytes, field.get("offset").asInt());
      bytes += field.get("bytes").asInt();
    }
    assertEquals(cell.length, bytes);
  }

  @Test
  void showsFieldsAndPointsInTheWayTheyAreStored() {
    String hex = HexFormat.ofDelimiter(" ").withUpperCase().formatHex(cell(3));
    assertEquals(0, run("cell", "dump", "--points", "0x" + hex), err.toString());
    assertTrue(out.toString().contains("version: 1"), out.toString());
    assertTrue(out.toString().contains("3 points in "), out.toString());
    assertTrue(out.toString().contains("+2000 ms  int 2000000000"), out.toString());
    assertTrue(out.toString().contains("+0 ms  double NaN 0x7ff8000000000001"), out.toString());
  }

  @Test
  void hasACellInTheExampleOfItsHelp() {
    assertEquals(0, run("cell", "dump", "--help"));
    Matcher example =
        Pattern.compile("packhorse cell dump --points ([0-9A-F]+)").matcher(out.toString());
    assertTrue(example.find(), out.toString());
    assertEquals(0, run("cell", "dump", "--points", example.group(1)), err.toString());
    assertTrue(out.toString().contains("+180000 ms"), out.toString());
  }

  @Test
  void takesBytesAsSeveralWords() {
    String[] words = HexFormat.ofDelimiter(" ").formatHex(cell(2)).split(" ", -1);
    String[] arguments = new String[words.length + 2];
    arguments[0] = "cell";
    arguments[1] = "dump";
    System.arraycopy(words, 0, arguments, 2, words.length);
    assertEquals(0, run(arguments), err.toString());
  }

  @Test
  void refusesWhatIsNoCellNamingTheOffset() {
    assertEquals(2, run("cell", "dump", "010203"));
    assertTrue(err.toString().contains("These 3 bytes are not a packed cell"), err.toString());
    assertTrue(err.toString().contains("offset=0"), err.toString());
  }

  @Test
  void refusesWhatIsNoHex() {
    assertEquals(2, run("cell", "dump", "A1Z0"));
    assertTrue(err.toString().contains("two hexadecimal digits for each byte"), err.toString());
    assertEquals(2, run("cell"));
    assertTrue(err.toString().contains("dump is missing"), err.toString());
  }

  private static byte[] cell(int points) {
    PointBlock block = new PointBlock();
    block.addDouble(0, 0x7ff8_0000_0000_0001L);
    for (int i = 1; i < points; i++) {
      block.addLong(i * 1000, i * 1_000_000_000L);
    }
    return new PackedCellEncoder().encode(block);
  }

  private int run(String... arguments) {
    return Packhorse.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
