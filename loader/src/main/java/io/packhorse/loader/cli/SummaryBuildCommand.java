package io.packhorse.loader.cli;

import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.Summaries;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.summary.hbase.SummaryBuilder.Built;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code summary build}. */
@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Build summaries from stored cells.",
      "Without options: everything, if queries do not use the summaries yet; else what loads, rollbacks"
          + " or TSDs have left to be built. Loads may run meanwhile. Queries read cells where it is at"
          + " work.",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse summary build",
      "  packhorse summary build --metric sys.cpu --from 2024-01-01 --to 2025-01-01",
      "      whole years of one metric again",
    })
final class SummaryBuildCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final SummaryWantedOptions options = new SummaryWantedOptions();

  @Mixin private final EndedOption ended = new EndedOption();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    try (StoreConnection to = target.address().open(announcer)) {
      Optional<Built> built = new Summaries(to, announcer).build(options.wanted(), ended.loaders());
      Map<String, Object> settings = new LinkedHashMap<>();
      options.putInto(settings);
      settings.put("ended", ended.loaders());
      PrintWriter out = command.commandLine().getOut();
      json.print(
          command,
          ExitCode.OK,
          settings,
          SummaryPrinter.json(built),
          () -> SummaryPrinter.print(built, out));
    }
    return ExitCode.OK.code();
  }
}
