package io.packhorse.loader.cli;

import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.Summaries;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code summary drop}. */
@Command(
    name = "drop",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Empty the table of summaries; queries read cells until summary build has built them again.",
      "Refused while a load or a build is at work.",
    })
final class SummaryDropCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final YesOption yes = new YesOption();

  @Mixin private final EndedOption ended = new EndedOption();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    try (StoreConnection to = target.address().open(announcer)) {
      yes.confirm("Empty the table of summaries?");
      new Summaries(to, announcer).drop(ended.loaders());
      json.print(
          command,
          ExitCode.OK,
          Map.of("ended", ended.loaders()),
          Map.of("used", false),
          () -> command.commandLine().getOut().println("dropped   queries read cells from now on"));
    }
    return ExitCode.OK.code();
  }
}
