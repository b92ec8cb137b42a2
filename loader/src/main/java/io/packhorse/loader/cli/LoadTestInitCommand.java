package io.packhorse.loader.cli;

import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code loadtest init}: writes a workload file to begin with. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Write a workload file: all keys, their meaning and defaults, or a known workload.",
    footer = {
      "",
      "Examples:",
      "  packhorse loadtest init production.yaml",
      "  packhorse loadtest init homes.yaml --workload homes"
    })
final class LoadTestInitCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Parameters(paramLabel = "FILE", description = "Where it goes; must not exist.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      defaultValue = "production",
      converter = WorkloadName.Converter.class,
      description = {
        "production, every key explained; reference, the shape of the reference walk; homes, sensors of ten thousand homes, a point a minute;"
            + " tsbs-cpu, ten metrics a host as TSBS has them; inch, many series as inch sends them;"
            + " samples, a machine's samples by host (default: ${DEFAULT-VALUE}).",
        "docs/experiments/seeds.md says where they come from."
      })
  @SuppressWarnings("NullAway.Init")
  private WorkloadName workload;

  @Override
  public Integer call() throws IOException {
    try {
      Files.writeString(file, workload.text(), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new OperationException(Kind.USAGE, file + " exists already: name another file.", e);
    }
    command
        .commandLine()
        .getOut()
        .println(
            "written   "
                + file
                + "; fill with: packhorse loadtest fill "
                + file
                + ", then: packhorse loadtest run "
                + file
                + " --target http://HOST:4242");
    return ExitCode.OK.code();
  }
}
