package io.packhorse.loader.cli;

import io.packhorse.loader.load.Announcer;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Prints on standard error: topics in a column, what they are about beside them. */
record ConsoleAnnouncer(PrintWriter err) implements Announcer {
  static ConsoleAnnouncer of(CommandSpec command) {
    return new ConsoleAnnouncer(command.commandLine().getErr());
  }

  @Override
  public void say(String topic, String sentence) {
    err.println(String.format(Locale.ROOT, "%-9s %s", topic, sentence));
  }

  @Override
  public void fail(String sentence) {
    err.println("packhorse: " + sentence);
  }

  @Override
  public Progress progress(Supplier<Status> status) {
    return new ProgressLine(err, status, Terminal.ofProcess());
  }
}
