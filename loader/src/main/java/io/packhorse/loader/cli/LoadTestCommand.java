package io.packhorse.loader.cli;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.source.WalkSpec;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loadtest}: fills a store with generated history. */
@Command(
    name = "loadtest",
    mixinStandardHelpOptions = true,
    description = "Fill a store with generated history and measure it.",
    subcommands = LoadTestCommand.Run.class,
    synopsisSubcommandLabel = "COMMAND")
final class LoadTestCommand {

  /** {@code loadtest run}. */
  @Command(
      name = "run",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = "Load the reference workload; every value follows from the seed.",
      footer = {
        "",
        "Examples:",
        "  packhorse loadtest run --span 1d",
        "      a day of 128 sensors into the embedded store, started if need be",
        "  packhorse loadtest run --span 1d --cells compacted",
        "      the same in OpenTSDB's own cells, readable by any stock TSD",
        "  packhorse loadtest run --span 365d --sink hfiles",
        "      a year, written as HFiles beside HBase and handed over at the end",
        "  packhorse loadtest run --span 365d --job year --shard 2/4",
        "      the second of four loaders, each started with its own number, anywhere",
        "  packhorse loadtest run --span 30d --sink null --threads 2",
        "      how fast this machine generates and packs, storing nothing",
        "  packhorse verify --span 1d",
        "      reads everything back and compares each point",
      })
  static final class Run implements Callable<Integer>, Resumable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Mixin private final WalkOptions walk = new WalkOptions();
    @Mixin private final TargetOptions target = new TargetOptions();
    @Mixin private final LoadOptions load = new LoadOptions();
    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws JobException, StoreException, IOException, InterruptedException {
      WalkSpec spec = spec();
      describe(spec);
      if (load.sink() == SinkKind.NULL) {
        try (Destination nowhere = Destination.nowhere()) {
          return load(nowhere, spec, load.threads(), Optional.empty());
        }
      }
      target.checkRoom(spec.totalPoints() * load.estimatedBytesPerPoint(), load.sink());
      try (Target to = target.openToLoad(err(), load.form(), load.meta());
          LoadJob job = LoadJob.begin(command, to, target, load, List.of(), List.of(), true)) {
        return load(to, spec, job);
      }
    }

    @Override
    public int resume(Job resumed, TargetOptions where)
        throws JobException, StoreException, IOException, InterruptedException {
      WalkSpec spec = spec();
      describe(spec);
      try (Target to = where.openToLoad(err(), load.form(), load.meta())) {
        return load(
            to, spec, LoadJob.resume(resumed, to, where, load, List.of(), List.of(), command));
      }
    }

    @Override
    public void repeat(Manifest manifest, Destination comparing) {
      LoadOutcome unused =
          WalkLoad.run(comparing, spec(), load.form(), load.threads(), Optional.empty(), err());
    }

    private WalkSpec spec() {
      JobShard shard = load.job().shard();
      try {
        return walk.spec().part(shard.number(), shard.count());
      } catch (IllegalArgumentException e) {
        throw new ParameterException(command.commandLine(), e.getMessage() + ".", e);
      }
    }

    private int load(Target to, WalkSpec spec, LoadJob job) throws JobException, IOException {
      if (job.isWritten()) {
        return HFileCompletion.ofJob(to, load, job.job().manifest(), err())
            .complete(
                job,
                load.meta(),
                () -> finish(spec, job.outcomeOfWritten(), Optional.of(job), Optional.empty()));
      }
      int threads = job.job().manifest().threads();
      try (Destination stored =
          load.sink() == SinkKind.HFILES
              ? Destination.hfiles(to, load, threads, true, err())
              : Destination.puts(to, load.form(), load.durability(), load.meta(), load.pace())) {
        return load(stored, spec, threads, Optional.of(job));
      }
    }

    private int load(Destination to, WalkSpec spec, int threads, Optional<LoadJob> job)
        throws IOException {
      LoadOutcome outcome =
          to.acknowledgesAtTheEnd()
              ? WalkLoad.runInRowOrder(to, spec, load.form(), threads, job, err())
              : WalkLoad.run(to, spec, load.form(), threads, job, err());
      return finish(spec, outcome, job, load.stage());
    }

    private int finish(
        WalkSpec spec, LoadOutcome outcome, Optional<LoadJob> job, Optional<URI> stage)
        throws IOException {
      Map<String, Object> result = outcome.json();
      if (job.isPresent()) {
        result.put("job", job.get().job().manifest().id());
        job.get().finish(outcome, Map.of(), result, stage);
      }
      Map<String, Object> settings = walk.json(spec, load);
      settings.put("sink", load.sink().name().toLowerCase(Locale.ROOT));
      PrintWriter out = command.commandLine().getOut();
      json.print(
          out, "loadtest run", settings, result, () -> outcome.print(LoadJob.done(stage), out));
      LoadJob.sayStage(stage, err());
      return ExitCode.OK.code();
    }

    private void describe(WalkSpec spec) {
      err()
          .printf(
              "loadtest  %s sensors x %s points, %s cells, %s, %s%s%n",
              Figures.count(spec.sensors()),
              Figures.count(spec.points()),
              load.form().name().toLowerCase(Locale.ROOT),
              load.sink().shown() + load.stage().map(stage -> " in " + stage).orElse(""),
              Figures.threads(load.threads()),
              load.job().shard().isWhole() ? "" : ", shard " + load.job().shard());
    }

    private PrintWriter err() {
      return command.commandLine().getErr();
    }
  }
}
