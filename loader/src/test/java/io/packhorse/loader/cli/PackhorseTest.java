package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.source.generated.WalkSpec;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What the command line says and how it ends, without a server. */
final class PackhorseTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void teachesInItsHelp() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().contains("Examples:"), out.toString());
    assertTrue(out.toString().contains("packhorse server start"), out.toString());
    assertTrue(out.toString().contains("130   interrupted"), out.toString());
  }

  @Test
  void makesTheCommandAloneThatIsNamed() {
    Set<String> all = Packhorse.commandLine().getSubcommands().keySet();
    assertEquals(16, all.size());
    for (String name : all) {
      Set<String> made = Packhorse.commandLine(name, "load").getSubcommands().keySet();
      assertEquals(name.equals("help") ? all : Set.of(name), made);
    }
    assertEquals(all, Packhorse.commandLine("--help").getSubcommands().keySet());
  }

  @Test
  void namesVersionCommitAndVersionsOfCells() {
    assertEquals(0, run("--version"));
    assertTrue(
        out.toString()
            .matches(
                "Packhorse \\d+\\.\\d+.* \\(.+\\)\\Rpacked cells: writes version 1, reads 1\\R"),
        out.toString());
  }

  @Test
  void refusesAnUnknownCommandAndSuggestsOne() {
    assertEquals(2, run("serve"));
    assertTrue(err.toString().matches("(?s).*Did you mean: .*packhorse server.*"), err.toString());
    assertTrue(err.toString().contains("Try: packhorse --help"), err.toString());
  }

  @Test
  void refusesToDoNothing() {
    assertEquals(2, run());
    assertEquals(2, run("server"));
    assertTrue(err.toString().contains("start, stop or status is missing"), err.toString());
  }

  @Test
  void refusesWrongValuesNamingOptionAndRange() {
    assertEquals(2, run("server", "start", "--dir", "x", "--tsd-port", "70000"));
    assertTrue(
        err.toString().contains("--tsd-port must be a port, 1 to 65535: 70000"), err.toString());
    assertEquals(
        2, run("server", "start", "--dir", "x", "--tsd-port", "4711", "--zookeeper-port", "4711"));
    assertTrue(err.toString().contains("a port of its own"), err.toString());
    assertEquals(2, run("server", "start", "--tsd", "perhaps"));
    assertTrue(err.toString().contains("perhaps"), err.toString());
    assertEquals(2, run("export", "--metric", "m", "--format", "csv_wide"));
    assertTrue(
        err.toString()
            .contains(
                "'csv_wide' is not a format: write opentsdb, jsonl, line, csv, csv-wide, parquet"),
        err.toString());
  }

  @Test
  void showsAStoreThatIsNotThereAndMakesNone(@TempDir Path temp) {
    Path dir = temp.resolve("none");
    assertEquals(0, run("server", "status", "--dir", dir.toString()));
    assertTrue(out.toString().contains(dir + " (does not exist yet)"), out.toString());
    assertEquals(0, run("server", "stop", "--dir", dir.toString()));
    assertTrue(out.toString().contains("Nothing runs over " + dir), out.toString());
    assertFalse(Files.exists(dir));
  }

  @Test
  void endsWithSevenWhenTheDirectoryIsRefused(@TempDir Path temp) throws Exception {
    Files.writeString(temp.resolve("other"), "");
    assertEquals(7, run("server", "start", "--dir", temp.toString()));
    assertTrue(err.toString().contains("not empty"), err.toString());
    assertFalse(err.toString().contains("\tat "), err.toString());
  }

  @Test
  void mapsStatedFailuresAndWritesDownTheOthers() throws Exception {
    assertEquals(
        6,
        fail(
            new OperationException(
                OperationException.Kind.VERIFICATION, "3 points are not equal.")));
    assertEquals("packhorse: 3 points are not equal.", err.toString().strip());
    assertEquals(130, fail(new InterruptedException()));

    err.getBuffer().setLength(0);
    assertEquals(1, fail(new IllegalStateException("impossible")));
    String message = err.toString().strip();
    assertEquals(1, message.lines().count());
    Path details = Path.of(message.replaceFirst(".*details in ", ""));
    assertTrue(Files.readString(details).contains("PackhorseTest"), message);
    Files.delete(details);
  }

  @Test
  void saysErrorsOfTheJvmToo() throws Exception {
    assertEquals(5, fail(new OutOfMemoryError("Java heap space")));
    assertEquals(5, fail(new IllegalStateException(new OutOfMemoryError("Java heap space"))));
    assertTrue(err.toString().contains("set PACKHORSE_HEAP to a larger one"), err.toString());

    err.getBuffer().setLength(0);
    assertEquals(1, fail(new StackOverflowError()));
    assertTrue(err.toString().contains("internal error: "), err.toString());
    Files.delete(Path.of(err.toString().strip().replaceFirst(".*details in ", "")));
  }

  @Test
  void writesNumbersTheSameInEveryLanguage() {
    Locale locale = Locale.getDefault();
    PrintStream stream = System.err;
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      assertEquals(0, Packhorse.run("--version"));
      assertEquals("s001", WalkSpec.sensorName(1));
    } finally {
      Locale.setDefault(locale);
      System.setErr(stream);
    }
  }

  @Test
  void refusesAWorkloadThatCannotBeCounted() {
    String endless = "--sensors 10000000 --interval 1ms --span 29000d";
    assertEquals(2, run(("loadtest fill --sink null " + endless).split(" ")));
    assertTrue(err.toString().contains("than can be counted"), err.toString());
    String rare = "--interval 30d --span 60d";
    assertEquals(2, run(("loadtest fill --sink null " + rare).split(" ")));
    assertFalse(err.toString().contains("overflow"), err.toString());
  }

  private int run(String... args) {
    return wired(Packhorse.commandLine()).execute(args);
  }

  private int fail(Throwable failure) {
    CommandLine failing = wired(new CommandLine(new Failing(failure)));
    return Packhorse.execute(failing.setExecutionExceptionHandler(new ErrorReport()));
  }

  private CommandLine wired(CommandLine command) {
    return command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
  }

  @Command(name = "failing")
  private static final class Failing implements Callable<Integer> {
    private final Throwable failure;

    Failing(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (Exception) failure;
    }
  }
}
