package io.packhorse.loader.cli;

import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.Summaries;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code summary show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Show the table of summaries, and what queries do not use it for and why.")
final class SummaryShowCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    try (StoreConnection to = target.address().open(announcer)) {
      Summaries.Shown shown = new Summaries(to, announcer).show();
      PrintWriter out = command.commandLine().getOut();
      json.print(
          command,
          ExitCode.OK,
          Map.of(),
          SummaryPrinter.json(shown),
          () -> SummaryPrinter.print(shown, out));
    }
    return ExitCode.OK.code();
  }
}
