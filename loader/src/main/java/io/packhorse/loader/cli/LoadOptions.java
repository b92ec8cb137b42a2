package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.sink.Pace;
import io.packhorse.loader.sink.hbase.PutDurability;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
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
          "puts: into HBase, with the write-ahead log; hfiles: written beside HBase and handed over"
              + " at the end, for large loads; null: read and pack without storing"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private SinkKind sink;

  @Option(
      names = "--stage",
      paramLabel = "DIR",
      converter = DirectoryConverter.class,
      description = {
        "With --sink hfiles: write the HFiles to a new directory and hand nothing over.",
        "packhorse hfile complete DIR does that, on any machine that sees the directory or a copy of"
            + " it. On the table's file system (hdfs://...) HBase takes the files as they lie.",
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
          "With --sink puts: sync: the write-ahead log keeps every Put; async: a moment later; skip:"
              + " no log. Without sync, what is stored is brought to disk before each checkpoint,"
              + " and a region server that dies ends the load (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private PutDurability durability;

  @Option(
      names = "--checkpoint-interval",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = TimeSpan.class,
      description =
          "Time between checkpoints, from which job resume goes on (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration checkpointInterval;

  @Option(
      names = "--meta",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Enter loaded series, or do not, into OpenTSDB's table of known series, where"
              + " /api/search/lookup and /api/query/last find them (default: --meta).")
  private boolean meta;

  @Mixin private final JobOptions job = new JobOptions();

  /** How fast points may be stored, if there is a limit; each time another pace. */
  Optional<Pace> pace() {
    return rate == 0 ? Optional.empty() : Optional.of(new Pace(rate));
  }

  /** Which job this load is. */
  JobOptions job() {
    return job;
  }

  /**
   * Where HFiles stay once they are written, if they are not handed over.
   *
   * @throws ParameterException if other options do not go with it
   */
  Optional<URI> stage() {
    if (stage == null) {
      return Optional.empty();
    }
    if (sink != SinkKind.HFILES || form != CellForm.PACKED) {
      throw new ParameterException(
          command.commandLine(), "--stage goes with --sink hfiles and packed cells only.");
    }
    return Optional.of(stage);
  }

  @Option(
      names = "--metrics",
      paramLabel = "PORT",
      description =
          "Answer Prometheus at http://127.0.0.1:PORT/metrics while the load runs; 0 for any free"
              + " port, which is said.")
  private @Nullable Integer metricsPort;

  /** Where Prometheus is answered, if anywhere. */
  OptionalInt metricsPort() {
    if (metricsPort == null) {
      return OptionalInt.empty();
    }
    if (metricsPort < 0 || metricsPort > 65_535) {
      throw new ParameterException(
          command.commandLine(), "--metrics must be a port, 1 to 65535, or 0.");
    }
    return OptionalInt.of(metricsPort);
  }

  /** Whether loaded series are made known to OpenTSDB's lookups. */
  boolean meta() {
    return meta;
  }

  /**
   * Where cells go.
   *
   * @throws ParameterException if options do not go with it
   */
  SinkKind sink() {
    if (sink == SinkKind.NULL && metricsPort != null) {
      throw new ParameterException(
          command.commandLine(), "--metrics is for loads that store something.");
    }
    if (rate < 0 || (rate > 0 && sink != SinkKind.PUTS)) {
      throw new ParameterException(
          command.commandLine(), "--rate must be 1 or more, and goes with --sink puts only.");
    }
    if (durability != PutDurability.SYNC && sink != SinkKind.PUTS) {
      throw new ParameterException(
          command.commandLine(), "--durability goes with --sink puts only.");
    }
    return sink;
  }

  /** What makes Puts last. */
  PutDurability durability() {
    return durability;
  }

  Duration checkpointInterval() {
    return checkpointInterval;
  }

  /** What a point of the reference walk costs in cells, key and column included. */
  double estimatedBytesPerPoint() {
    return form == CellForm.PACKED ? 1.0 : 5.5;
  }

  CellForm form() {
    return form;
  }

  /** Packing threads, 1 to 256. */
  int threads() {
    if (threads < 0 || threads > THREADS_MAX) {
      throw new ParameterException(
          command.commandLine(), "--threads must be 1 to " + THREADS_MAX + ".");
    }
    return threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
  }
}
