package io.packhorse.loader.cli;

import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.loadtest.Workload;
import io.packhorse.loader.loadtest.WorkloadFile;
import io.packhorse.loader.loadtest.WorkloadFile.WorkloadException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The workload of a load test: that of a file, or a known one. */
final class WorkloadChoice {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "The workload; loadtest init writes one.")
  private @Nullable Path file;

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      converter = WorkloadName.Converter.class,
      description =
          "Instead of FILE, a workload as loadtest init writes it: reference, tsbs-cpu, inch, homes,"
              + " samples or production.")
  private @Nullable WorkloadName name;

  /** Whether there is one. */
  boolean isGiven() {
    return file != null || name != null;
  }

  /** Reads it. */
  Workload read() throws IOException {
    if (file != null && name != null) {
      throw new ParameterException(
          command.commandLine(), "FILE and --workload exclude each other: which one?");
    }
    if (name != null) {
      try {
        return WorkloadFile.parse(name.text(), name.toString());
      } catch (WorkloadException e) {
        throw new IllegalStateException("the built-in workload " + name + " is invalid", e);
      }
    }
    if (file == null) {
      throw new ParameterException(
          command.commandLine(), "A workload is missing: FILE or --workload NAME.");
    }
    return read(file);
  }

  private static Workload read(Path file) throws IOException {
    try {
      return WorkloadFile.read(file);
    } catch (WorkloadException e) {
      throw new OperationException(Kind.USAGE, e.getMessage() + ".", e);
    } catch (NoSuchFileException e) {
      throw new OperationException(
          Kind.USAGE, file + " is missing: packhorse loadtest init " + file + " writes one.", e);
    }
  }

  /** What was given, for a JSON result. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    if (isGiven()) {
      json.put(file == null ? "workload" : "file", toString());
    }
    return json;
  }

  /** For messages: the file, or the name. */
  @Override
  public String toString() {
    return file == null ? String.valueOf(name) : file.toString();
  }
}
