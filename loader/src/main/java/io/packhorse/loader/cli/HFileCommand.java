package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.job.WrittenJob;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hfile}: HFiles that were written somewhere else. */
@Command(
    name = "hfile",
    mixinStandardHelpOptions = true,
    description = {
      "Load in two steps: write HFiles at the edge, hand them to HBase on the cluster.",
      "load and loadtest run write them, with --sink hfiles --stage DIR.",
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
        "Hand HFiles to HBase that a load has written to a stage.",
        "Each file is checked first: names, lengths, checksums, and that the store's names have the"
            + " UIDs it was written with. Files on another file system than the table's are copied"
            + " there. After a failure run it again; what HBase has already is passed over. In the"
            + " end the points stored are counted, and the job is on record here, too.",
      },
      footer = {
        "",
        "Examples:",
        "  packhorse load --sink hfiles --stage /mnt/stick/january january.txt",
        "      at the edge: UIDs and regions are asked for, nothing is stored",
        "  packhorse hfile complete /mnt/stick/january",
        "      on the cluster, whoever carried the directory there",
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
      PrintWriter err = command.commandLine().getErr();
      JobFolder jobs = target.jobs();
      try (Target to = target.openToLoad(err, CellForm.PACKED, false)) {
        HFileCompletion completion = HFileCompletion.ofStage(to, stage, err);
        WrittenJob written = completion.writtenHere();
        try (Job job = jobs.adopt(written, completion.files()::fetch)) {
          complete(completion, written, job);
        }
        JobFolder.Entry now = jobs.look(written.manifest().id(), written.manifest().part());
        boolean counted = JobVerification.counted(now, to, err);
        return (counted ? ExitCode.OK : ExitCode.VERIFICATION).code();
      }
    }

    private void complete(HFileCompletion completion, WrittenJob written, Job job)
        throws JobException, IOException {
      JobState state = job.history().state();
      if (state == JobState.ROLLED_BACK) {
        throw new CommandException(
            ExitCode.PREFLIGHT,
            "Nothing was handed over: job " + job.manifest().id() + " is " + state + ".");
      }
      if (state == JobState.LOADED) {
        completion.tidy();
        print(job.history().counts(), job);
        return;
      }
      String again = "packhorse hfile complete " + stage + target.asArguments();
      LoadJob load = new LoadJob(job, Duration.ZERO, OptionalInt.empty(), again);
      int unused =
          completion.complete(load, written.meta(), () -> finish(load.outcomeOfWritten(), load));
    }

    private int finish(LoadOutcome outcome, LoadJob job) throws IOException {
      Map<String, Object> result = outcome.json();
      result.put("job", job.job().manifest().id());
      job.finish(outcome, job.job().history().rejected(), result, Optional.empty());
      print(outcome.counts(), job.job());
      return ExitCode.OK.code();
    }

    private void print(LoadCounts counts, Job job) throws IOException {
      PrintWriter out = command.commandLine().getOut();
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("job", job.manifest().id());
      result.put("acknowledged", counts.acknowledged());
      json.print(
          out,
          "hfile complete",
          Map.of("stage", stage.toString()),
          result,
          () ->
              out.printf(
                  "loaded    %s points of job %s are in the store%n",
                  Figures.count(counts.acknowledged()), job.manifest().id()));
    }
  }
}
