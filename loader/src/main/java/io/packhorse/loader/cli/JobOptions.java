package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which job a load is, and which part of it. */
final class JobOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--job",
      paramLabel = "ID",
      description = "Name of the job that this load is (default: made of the time).")
  private @Nullable String id;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      converter = ShardOption.Converter.class,
      description =
          "Load a part of the job that --job names: every N-th input, or generated series, from the"
              + " I-th on. Each of N loaders is given the same command but for I, on any machine.")
  private @Nullable JobShard shard;

  /** The name given, if one was. */
  Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /**
   * The name given, or a new one.
   *
   * @throws ParameterException if it cannot name a folder, or is missing where it must not
   */
  String id(Instant now) {
    if (id == null) {
      if (!shard().isWhole()) {
        throw new ParameterException(
            command.commandLine(), "--shard needs --job: the same name for all shards.");
      }
      return JobFolder.newId(now);
    }
    return checked(id, command);
  }

  /**
   * A name that was given.
   *
   * @throws ParameterException if it cannot name a folder
   */
  static String checked(String id, CommandSpec command) {
    if (!JobFolder.isId(id)) {
      throw new ParameterException(
          command.commandLine(), "--job must be " + JobFolder.ID_RULE + ".");
    }
    return id;
  }

  /** The part of the job that is loaded. */
  JobShard shard() {
    return shard == null ? JobShard.WHOLE : shard;
  }
}
