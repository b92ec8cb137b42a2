package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.LoadInputs;
import io.packhorse.loader.load.LoadRequest;
import io.packhorse.loader.sink.PutDurability;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of every load. */
final class LoadOptions {
  private static final int THREADS_MAX = 256;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--cells",
      paramLabel = "FORM",
      defaultValue = "packed",
      converter = CellFormOption.class,
      description =
          "packed: small cells for the patched TSD; compacted: OpenTSDB's own, for any TSD"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private CellForm form;

  @Option(
      names = "--sink",
      paramLabel = "KIND",
      defaultValue = "puts",
      converter = SinkKind.Converter.class,
      description =
          "puts: into HBase, with the write-ahead log; hfiles: HFiles written beside HBase and"
              + " bulk-loaded at the end, for large loads; null: read and pack without storing"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private SinkKind sink;

  @Option(
      names = "--max-new-names",
      paramLabel = "N",
      description =
          "Stop the load before it assigns UIDs to more than N new names in total: metrics, tag keys"
              + " and tag values. UIDs cannot be freed. job resume ignores this limit (default: no"
              + " limit).")
  private long newNamesMax = Long.MAX_VALUE;

  @Option(
      names = "--stage",
      paramLabel = "DIR",
      converter = DirectoryConverter.class,
      description = {
        "With --sink hfiles: stage the HFiles in a new directory, and load nothing yet.",
        "packhorse hfile complete DIR bulk-loads them, on any machine that sees the directory or a"
            + " copy of it. On the table's file system (hdfs://...) HBase takes the files in"
            + " place.",
      })
  private @Nullable URI stage;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Packing threads (default: one a core).")
  private int threads;

  @Option(
      names = "--rate",
      paramLabel = "POINTS",
      description =
          "With --sink puts: store no more points a second than this (default: no limit).")
  private long rate;

  @Option(
      names = "--durability",
      paramLabel = "KIND",
      defaultValue = "sync",
      converter = DurabilityConverter.class,
      description =
          "With --sink puts: sync: every Put is in the write-ahead log when HBase answers; async: a"
              + " moment later; skip: no log. Without sync the table is flushed before each"
              + " checkpoint, and a region server that dies ends the load"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private PutDurability durability;

  @Option(
      names = "--checkpoint-interval",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = TimeSpan.class,
      description =
          "Time between checkpoints; job resume starts from the last one"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration checkpointInterval;

  @Option(
      names = "--meta",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Write loaded series, or do not, to OpenTSDB's table tsdb-meta, where /api/search/lookup"
              + " and /api/query/last find them (default: --meta).")
  private boolean meta;

  @Option(
      names = "--metrics",
      paramLabel = "PORT",
      description =
          "Serve metrics for Prometheus at http://127.0.0.1:PORT/metrics while the load runs; 0 for"
              + " any free port, which is printed.")
  private @Nullable Integer metricsPort;

  @Mixin private final JobOptions job = new JobOptions();

  /**
   * A load with these options.
   *
   * @param replaced the job it replaces, if any
   * @param executed the command being executed
   * @param duplicates whether files are loaded whose content another job has loaded
   */
  LoadRequest request(
      LoadInput input,
      @Nullable String replaced,
      LoadInputs inputs,
      CommandSpec executed,
      boolean duplicates) {
    if (newNamesMax < 0) {
      throw refused("--max-new-names must be 0 or more.");
    }
    return new LoadRequest(
        new LoadSettings(
            input,
            output(),
            form,
            threads(),
            meta,
            checkpointInterval.toMillis(),
            metricsPort(),
            replaced),
        inputs,
        sink == SinkKind.NULL ? job.id().orElse("") : job.id(Instant.now()),
        job.shard(),
        executed.root().commandLine().getParseResult().originalArgs(),
        duplicates,
        newNamesMax);
  }

  /**
   * Where cells go.
   *
   * @throws ParameterException if options do not go with it
   */
  LoadOutput output() {
    return switch (sink()) {
      case PUTS -> new LoadOutput.Puts(durability, rate);
      case HFILES -> new LoadOutput.HFiles(stage().orElse(null));
      case NULL -> new LoadOutput.Nowhere();
    };
  }

  /** Which job this load is. */
  JobOptions job() {
    return job;
  }

  /**
   * The directory that HFiles stay in, if they are not bulk-loaded.
   *
   * @throws ParameterException if other options do not go with it
   */
  Optional<URI> stage() {
    if (stage == null) {
      return Optional.empty();
    }
    if (sink != SinkKind.HFILES || form != CellForm.PACKED) {
      throw refused("--stage goes with --sink hfiles and packed cells only.");
    }
    return Optional.of(stage);
  }

  private @Nullable Integer metricsPort() {
    if (metricsPort != null && (metricsPort < 0 || metricsPort > 65_535)) {
      throw refused("--metrics must be a port, 1 to 65535, or 0.");
    }
    return metricsPort;
  }

  /**
   * The kind of {@link #output}.
   *
   * @throws ParameterException if options do not go with it
   */
  SinkKind sink() {
    if (sink == SinkKind.NULL && metricsPort != null) {
      throw refused("--metrics is for loads that store something.");
    }
    if (rate < 0 || (rate > 0 && sink != SinkKind.PUTS)) {
      throw refused("--rate must be 1 or more, and goes with --sink puts only.");
    }
    if (durability != PutDurability.SYNC && sink != SinkKind.PUTS) {
      throw refused("--durability goes with --sink puts only.");
    }
    return sink;
  }

  /** Bytes of cells for each point of the reference walk, row key and column included. */
  double estimatedBytesPerPoint() {
    return form == CellForm.PACKED ? 1.0 : 5.5;
  }

  /** Whether loaded series are written to {@code tsdb-meta}. */
  boolean seriesMeta() {
    return meta;
  }

  CellForm form() {
    return form;
  }

  /** Packing threads, 1 to 256. */
  int threads() {
    if (threads < 0 || threads > THREADS_MAX) {
      throw refused("--threads must be 1 to " + THREADS_MAX + ".");
    }
    return threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
  }

  private ParameterException refused(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }
}
