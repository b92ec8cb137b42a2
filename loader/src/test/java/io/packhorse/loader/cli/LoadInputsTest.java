package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a load says of its inputs before it begins, and what it refuses. */
final class LoadInputsTest {
  private static final String ROWS = "time,v\n1700000000,1\n1700000060,2\n";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private record Ended(int code, String out, String err) {
    Ended says(String words) {
      assertTrue(err.contains(words), () -> "no '" + words + "' in: " + err + out);
      return this;
    }

    JsonNode result() throws IOException {
      assertEquals(ExitCode.OK.code(), code, err);
      return new ObjectMapper().readTree(out).get("result");
    }
  }

  @Test
  void namesFilesWithoutRowsAndLoadsTheOthers() throws IOException {
    write("d/a.csv", ROWS);
    write("d/h1.csv", "time,v\n");
    write("d/empty.csv", "");
    write("d/remarks.lp", "# nothing\n\n");
    Ended ended = load("--add-tag", "s=a", path("d"));
    assertEquals(2, ended.result().get("packed").asLong());
    ended.says("skipped   3 files without rows: ").says("d/h1.csv").says("d/remarks.lp");
    assertEquals(0, load("--add-tag", "s=a", path("d/h1.csv")).result().get("read").asLong());
  }

  @Test
  void passesOverWhatIsNoDataInADirectoryAndRefusesItWhereItIsNamed() throws IOException {
    write("d/a.csv", ROWS);
    write("d/README.md", "# Data\n\nOf pumps, by the hour; see `a.csv`.\nSecond, with a comma\n");
    write("d/LICENSE", "Do what you like,\nwith it, please\n");
    write("d/labels.json", "{\"a.csv\": [\"2024-01-01\"], \"b\": {\"c\": 1}}\n");
    write("d/notes", "a text in plain words\nof two lines\n");
    Ended ended = load("--add-tag", "s=a", path("d"));
    assertEquals(2, ended.result().get("packed").asLong());
    ended.says("skipped   4 files that are not data: ").says("README.md").says("labels.json");
    for (String name : List.of("d/README.md", "d/labels.json", "d/notes")) {
      assertRefused("", "--add-tag", "s=a", path(name));
    }
    Files.delete(directory.resolve("d/a.csv"));
    assertRefused("None of the files is data", path("d"));
  }

  @Test
  void refusesAnEmptyArgument() throws IOException {
    write("a.csv", ROWS);
    assertRefused("An empty argument names no input", "");
  }

  @Test
  void showsHowColumnsBeginIfNoneLooksLikeTimes() throws IOException {
    write("t.csv", "x,y\n,a rather long text in a field\nfoo,qux\n");
    assertRefused("are [x, y], and begin with [foo, a rather long text in a ...]", path("t.csv"));
  }

  @Test
  void namesTheOptionsForTextAndBooleans() throws IOException {
    write("l.lp", "m,h=a s=\"text\",v=1 1700000000000000000\nm,h=a b=true 1700000060000000000\n");
    Ended ended = load(path("l.lp"));
    ended.says("2  value is text, true or false").says("--booleans-as-numbers stores true as 1");
    assertTrue(ended.err().indexOf("--skip-text-fields") == ended.err().lastIndexOf("--skip-text"));
  }

  @Test
  void aStopForRejectsThatLeavesNoJobOffersNoOptionOfOne() throws IOException {
    write("r.csv", "time,v\n1700000000,1\n1700000060,x\n1700000120,y\n1700000180,4\n");
    Ended ended =
        load("--max-rejects", "1", "--value", "v", "--add-tag", "a=b", path("r.csv"))
            .says("Stopped: 2 of 4 lines were rejected");
    assertFalse(ended.err().contains("no limit; or N"), ended::err);
  }

  @Test
  void refusesAFileWithoutARecordIfItIsNamed() throws Exception {
    write("d/a.csv", ROWS);
    write("d/README.md", "# Data\n");
    write("d/blank.csv", ",,,,\n,,,,\n");
    for (String name : List.of("d/README.md", "d/blank.csv")) {
      Ended named = load("--add-tag", "s=a", path(name)).says(name + " is not data: ");
      assertEquals(2, named.code(), named::err);
    }
    load("--add-tag", "s=a", path("d")).says("skipped   2 files that are not data: ");
  }

  @Test
  void doesNotPassOverDataThatItCannotRead() throws IOException {
    write("d/a.csv", ROWS);
    write("d/b.csv", "when,v\nyesterday,1\ntoday,2\n");
    assertRefused("d/b.csv", "--add-tag", "s=a", path("d"));
    load("--exclude", "b.csv", "--add-tag", "s=a", path("d")).says("1 file by --exclude b.csv");
  }

  @Test
  void showsWhatThePathsMeanAlsoInADryRun() throws IOException {
    for (int i = 0; i < 7; i++) {
      write("d/site=oslo/year=2024/s" + i + ".csv", ROWS.replace(",1", "," + (10 + i)));
    }
    for (String dry : List.of("--json", "--dry-run")) {
      Ended ended = load(dry, "--add-tag", "sensor={file}", path("d"));
      assertEquals(ExitCode.OK.code(), ended.code(), ended.err());
      ended
          .says("s0.csv adds {sensor=s0, site=oslo}")
          .says("... and 2 more files; values in all: sensor 7, site 1")
          .says("folders named year=... are a part of the time and no tag");
    }
    Ended dry = load("--dry-run", "--path-pattern", "(?<run>s\\d)[.]csv", path("d"));
    assertTrue(dry.out().contains("v{run=s0,site=oslo}"), dry.out());
    assertRefused("'{name}' is unknown", "--add-tag", "s={name}", path("d"));
    assertRefused("needs a named group", "--path-pattern", "x", path("d"));
    assertRefused("--path-pattern '(?<a>'", "--path-pattern", "(?<a>", path("d"));
  }

  @Test
  void asksBeforeItLoadsEqualFiles() throws IOException {
    write("a.csv", ROWS);
    write("b.csv", ROWS);
    String[] both = {path("a.csv"), path("b.csv")};
    assertRefused("There are files of equal content: ", "--add-tag", "s=a", both[0], both[1]);
    load("--allow-duplicate-input", "--add-tag", "s=a", both[0], both[1])
        .says("WARNING   files of equal content: ")
        .says(", and of the same tags");
    Ended told = load("--add-tag", "s={file}", both[0], both[1]);
    assertEquals(4, told.result().get("packed").asLong());
    told.says("whose paths give them different tags");
  }

  @Test
  void showsTheNamesThatCannotBeStoredAndWhatStoresThem() throws IOException {
    StringBuilder dump = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      dump.append("up{instance=\"h:9100\",job=\"node\"} 1 1700000").append(100 + i).append('\n');
    }
    Path file = write("dump.prom", dump.toString());
    assertRefused(
        "is rejected: the tag instance is 'h:9100': OpenTSDB's names cannot have ':';"
            + " --replace-characters stores h_9100",
        file.toString());
    Ended all = load("--replace-characters", file.toString());
    assertEquals(100, all.result().get("read").asLong());
    Files.writeString(file, "up{instance=\"h\"} 1 1700000000\n" + dump);
    load(file.toString()).says("names     the tag instance is 'h:9100': ");
  }

  @Test
  void asksBeforeATagTakesAUidWithEachLine() throws IOException {
    StringBuilder lines = new StringBuilder();
    StringBuilder hosts = new StringBuilder();
    StringBuilder once = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      lines.append("http.ms ").append(1_700_000_000 + i / 10).append(" 5 host=a session=x");
      lines.append(i).append('\n');
      hosts.append("load ").append(1_700_000_000 + i / 1700).append(" 5 host=h");
      hosts.append(i % 1700).append('\n');
      once.append("up 1700000000 1 host=h").append(i).append('\n');
    }
    String file = write("sessions.txt", lines.toString()).toString();
    assertRefused("the tag session has 5,000 values in the first 5,000 points of http.ms", file);
    assertEquals(1, series("--drop-tag", "session", file));
    assertEquals(5000, series("--allow-many-values", "session", file));
    assertEquals(1700, series(write("hosts.txt", hosts.toString()).toString()));
    assertEquals(5000, series(write("once.txt", once.toString()).toString()));
  }

  @Test
  void readsTheBoundsInTheTimeZoneAndSaysSo() throws IOException {
    write("a.csv", "time,v\n2024-01-01 00:00,1\n2024-01-01 00:30,2\n2024-01-02 00:00,3\n");
    String[] bounds = {"--from", "2024-01-01", "--to", "2024-01-02", "--add-tag", "s=a"};
    List<String> words = new ArrayList<>(List.of(bounds));
    words.addAll(List.of("--time-zone", "Europe/Oslo", path("a.csv")));
    Ended ended = load(words.toArray(String[]::new));
    assertEquals(2, ended.result().get("packed").asLong());
    ended.says("from      2024-01-01T00:00 in Europe/Oslo, 2023-12-31T23:00:00Z");
    assertRefused("--from: 'x' is not a time", "--from", "x", path("a.csv"));
  }

  @Test
  void loadsWhatHasNoTimesAtOneThatIsStated() throws IOException {
    String file = write("node.prom", "# TYPE load gauge\nload{h=\"a\"} 0.5\n").toString();
    assertRefused("no timestamps; state one for all of them with --timestamp now", file);
    for (String time : List.of("now", "2024-01-01", "1704067200")) {
      assertEquals(1, load("--timestamp", time, file).result().get("packed").asLong());
    }
    assertRefused("--timestamp", "--timestamp", "0", file);
  }

  @Test
  void addsOnlyTagsThatCanBeStored() throws IOException {
    write("a.csv", ROWS);
    assertRefused(
        "--add-tag s=a b, but OpenTSDB's names cannot have ' '",
        "--add-tag",
        "s=a b",
        path("a.csv"));
    assertFalse(load("--add-tag", "s=å", path("a.csv")).err().contains("cannot"));
  }

  private void assertRefused(String why, String... arguments) throws IOException {
    Ended ended = load(arguments);
    assertEquals(ExitCode.USAGE.code(), ended.code(), ended.err() + ended.out());
    ended.says(why);
  }

  private long series(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.add(0, "--dry-run");
    return load(words.toArray(String[]::new)).result().at("/series_at_least").asLong();
  }

  private Ended load(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("--sink", "null", "--threads", "1"));
    words.addAll(List.of("--rejects", path("rejects.tsv")));
    words.addAll(List.of(arguments));
    if (!List.of(arguments).contains("--json") && !words.contains("(?<run>s\\d)[.]csv")) {
      words.add(0, "--json");
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> command = new ArrayList<>(List.of("load"));
    command.addAll(words);
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(command.toArray(String[]::new));
    return new Ended(code, out.toString(), err.toString());
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
