package io.packhorse.loader.cli;

import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.load.Summaries;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.summary.hbase.SummaryVerifier.Verified;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code summary verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Read all cells and compare the summaries with them; changes nothing.",
      "Loaders with a claim, and hours with a claim, are left out, as queries leave them out. Cells"
          + " that are rolled back or deleted meanwhile may count as differing. Exit code 6 if a"
          + " block differs.",
    })
final class SummaryVerifyCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final SummaryWantedOptions options = new SummaryWantedOptions();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws StoreException, IOException, InterruptedException {
    ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
    try (StoreConnection to = target.address().open(announcer)) {
      Verified verified = new Summaries(to, announcer).verify(options.wanted());
      ExitCode ended = verified.differing() == 0 ? ExitCode.OK : ExitCode.VERIFICATION;
      Map<String, Object> settings = new LinkedHashMap<>();
      options.putInto(settings);
      PrintWriter out = command.commandLine().getOut();
      json.print(
          command,
          ended,
          settings,
          SummaryPrinter.json(verified),
          () -> SummaryPrinter.print(verified, out));
      return ended.code();
    }
  }
}
