package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the text of a table is divided into rows and fields: what is stated, found and asked. */
final class TableTextTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private int code;

  @Test
  void readsFieldsBetweenRunsOfBlanks() throws IOException {
    String rows = "time         v    host\n1700000000   1.5  a\n1700000060  22.5  b\n";
    assertReads("2 of 2 series", "v{host=a}", dryRun(rows));
    assertReads("2 of 2 series", "v{host=b}", dryRun(rows, "--delimiter", "blank"));
    String quoted = "time v host\n1700000000 1 'a'\n1700000060 2 \"b\"\n".replace("'a'", "\"a\"");
    assertReads("2 of 2 series", "v{host=b}", dryRun(quoted, "--delimiter", "blank"));
  }

  @Test
  void readsFieldsOfFixedWidth() throws IOException {
    String rows = "1700000000pumpä 12.5\n1700000060pumpb  3  \n";
    assertReads(
        "2 of 2 series",
        "v{host=pumpb}",
        dryRun(rows.replace("pumpä", "pumpa"), "--widths", "10,5,5", "--columns", "time,host,v"));
    assertReads(
        "2 of 2 series",
        "v{host=pumpä}",
        dryRun(rows, "--widths", "10,5,5", "--columns", "time,host,v"));
  }

  @Test
  void skipsTitlesAndComments() throws IOException {
    String table = "time,host,v\n1700000000,a,1\n1700000060,a,2\n";
    String comments = table.replace("0,a,1\n", "0,a,1\n%1700000030,a,9\n");
    assertReads(
        "2 of 1 series",
        "v{host=a}",
        dryRun("Pumps, of the north\n\n" + comments, "--skip-lines", "1", "--comment", "%"));
    assertReads("2 of 1 series", "v{host=a}", dryRun("# made, by a logger\n" + table));
    assertAsks("--skip-lines", dryRun("Pumps, north\n" + table));
  }

  @Test
  void skipsRowsOfSeparatorsOnly() throws IOException {
    assertReads(
        "2 of 1 series",
        "v{host=a}",
        dryRun("time;host;v\n1700000000;a;1\n1700000060;a;2\n;;\n;;\n"));
  }

  @Test
  void asksForTheNamesOfAPartWithoutHeaderAndReadsAllPartsWithThem() throws IOException {
    Path first = write("xaa.csv", "time,host,v\n1700000000,a,1\n1700000060,a,2\n");
    Path second = write("xab.csv", "1700000120,a,3\n1700000180,a,4\n");
    assertAsks("--columns time,host,v", run(first, second));
    assertReads("4 of 1 series", "v{host=a}", run(first, second, "--columns", "time,host,v"));
    assertAsks("--columns", run(second));
    assertReads("2 of 1 series", "column3{column2=a}", run(second, "--no-header"));
    assertAsks("but --columns names 2", run(second, "--columns", "time,v"));
  }

  @Test
  void namesOfColumnsSayWhatSeparatesThem() throws IOException {
    assertReads(
        "1 of 1 series",
        "v{host=a}",
        dryRun("1700000000   a  16486,33 NA\n", "--columns", "time,host,v,w"));
    assertReads(
        "1 of 1 series",
        "v{s=a}",
        dryRun("Thu, 27 Feb 2014 18:28:44 GMT;115\n", "--columns", "at,v", "--add-tag", "s=a"));
  }

  @Test
  void readsAHeaderThatIsLongerThanABuffer() throws IOException {
    StringBuilder header = new StringBuilder("time,host");
    StringBuilder row = new StringBuilder(",a");
    for (int i = 0; i < 3000; i++) {
      header.append(",temperature_of_pump_").append(i);
      row.append(',').append(i);
    }
    assertTrue(header.length() > 64 * 1024);
    String rows = header + "\n1700000000" + row + "\n1700000060" + row + "\n";
    assertReads("6,000 of 3,000 series", "temperature_of_pump_0{host=a}", dryRun(rows));
  }

  @Test
  void refusesWhatCannotBeMeant() throws IOException {
    String rows = "time,v\n1700000000,1\n";
    assertAsks("--skip-lines must be", dryRun(rows, "--skip-lines", "-1"));
    assertAsks("exclude each other", dryRun(rows, "--widths", "3,3", "--delimiter", ","));
    assertAsks("--widths must be", dryRun(rows, "--widths", "3,0"));
  }

  private void assertReads(String points, String series, String said) {
    assertEquals(ExitCode.OK.code(), code, said);
    assertTrue(said.contains("points    " + points + "; 0 rejected"), said);
    assertTrue(said.contains(series), said);
  }

  private void assertAsks(String words, String said) {
    assertEquals(ExitCode.USAGE.code(), code, said);
    assertTrue(said.contains(words), said);
  }

  private String dryRun(String text, String... options) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of(options));
    arguments.add(write("table.csv", text));
    return run(arguments.toArray());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private String run(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("load", "--dry-run"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    code = Packhorse.commandLine().setOut(out).setErr(out).execute(words.toArray(String[]::new));
    return said.toString();
  }
}
