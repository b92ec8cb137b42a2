package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.StagedBulkLoad;
import io.packhorse.loader.load.StoreAddress;
import io.packhorse.loader.load.StoreConnection;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hfile}: HFiles that were staged somewhere else. */
@Command(
    name = "hfile",
    mixinStandardHelpOptions = true,
    description = {
      "Load in two steps: stage HFiles at the edge, bulk-load them on the cluster.",
      "load and loadtest fill stage them, with --sink hfiles --stage DIR.",
    },
    subcommands = HFileCommand.Complete.class,
    synopsisSubcommandLabel = "COMMAND")
final class HFileCommand {

  /** {@code hfile complete}. */
  @Command(
      name = "complete",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "Bulk-load HFiles that a load has staged in a directory.",
        "Each file is checked first: names, lengths, checksums, and that the store's names have the"
            + " UIDs it was written with. Files on another file system than the table's are copied"
            + " there. After a failure run it again; what HBase has already is skipped. At the end"
            + " the stored points are counted, and the job is recorded here, too.",
      },
      footer = {
        "",
        "Examples:",
        "  packhorse load --sink hfiles --stage /mnt/stick/january january.txt",
        "      at the edge: assigns UIDs and writes the HFiles; HBase does not have the points yet",
        "  packhorse hfile complete /mnt/stick/january",
        "      on the cluster, from the directory or a copy of it",
        "  packhorse hfile complete hdfs://ours/staging/january --hbase-conf hbase-site.xml \\",
        "      --tsd-conf opentsdb.conf",
      })
  static final class Complete implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Parameters(
        paramLabel = "DIR",
        converter = DirectoryConverter.class,
        description = "The stage, or a copy of it: a local path, or one such as hdfs://ns/path.")
    @SuppressWarnings("NullAway.Init")
    private URI stage;

    @Mixin private final TargetOptions target = new TargetOptions();
    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws JobException, StoreException, IOException, InterruptedException {
      ConsoleAnnouncer announcer = ConsoleAnnouncer.of(command);
      StoreAddress store = target.address();
      store.checkOutput(new LoadOutput.HFiles(stage));
      try (StoreConnection to = store.openToLoad(announcer, CellForm.PACKED, false)) {
        JobFolder.Entry job =
            StagedBulkLoad.ofStage(to, stage, announcer)
                .adopt(store.jobs(), "packhorse hfile complete " + stage + store.options());
        return print(job, VerifyPrinter.count(job, to, announcer)).code();
      }
    }

    private ExitCode print(JobFolder.Entry job, VerifyPrinter.Count counted) throws IOException {
      PrintWriter out = command.commandLine().getOut();
      ExitCode ended = counted.or(ExitCode.OK);
      long points = job.history().counts().acknowledged();
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("job", job.manifest().id());
      result.put("acknowledged", points);
      counted.putInto(result);
      json.print(
          command,
          ended,
          Map.of("stage", stage.toString()),
          result,
          () ->
              out.printf(
                  "loaded    %s of job %s are in the store%n",
                  HumanNumbers.count(points, "point", "points"), job.manifest().id()));
      counted.print(command.commandLine().getErr());
      return ended;
    }
  }
}
