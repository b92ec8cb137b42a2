package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.load.BuildVersion;
import io.packhorse.loader.load.Causes;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns what a command throws into one sentence on stderr, and JSON if asked for, and an exit code.
 */
final class ErrorReport implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception error, CommandLine command, ParseResult parsed) {
    return report(error, command, parsed.originalArgs());
  }

  /**
   * Also for errors: the JVM would print them on System.err, which the launcher has closed.
   *
   * @param command that failed
   * @param arguments of the command line
   */
  static int report(Throwable error, CommandLine command, List<String> arguments) {
    ExitCode ended = exitCode(error);
    String sentence = sentence(error);
    if (!sentence.isEmpty()) {
      command.getErr().println("packhorse: " + sentence);
    }
    if (JsonOption.isAsked(arguments)) {
      JsonOption.printError(
          command.getOut(),
          JsonOption.name(command.getCommandSpec()),
          ended,
          sentence.isEmpty() ? "interrupted" : sentence);
    }
    return ended.code();
  }

  private static ExitCode exitCode(Throwable error) {
    if (error instanceof OperationException stated) {
      return ExitCode.of(stated.kind());
    }
    if (error instanceof StoreException store) {
      return switch (store.kind()) {
        case REFUSED -> ExitCode.PREFLIGHT;
        case FAILED -> ExitCode.CLUSTER;
      };
    }
    if (error instanceof JobException) {
      return ExitCode.PREFLIGHT;
    }
    if (error instanceof InterruptedException) {
      return ExitCode.INTERRUPTED;
    }
    return Causes.innermost(error) instanceof OutOfMemoryError
        ? ExitCode.CLUSTER
        : ExitCode.INTERNAL;
  }

  /** Empty if the user has been told already. */
  private static String sentence(Throwable error) {
    if (error instanceof OperationException
        || error instanceof StoreException
        || error instanceof JobException) {
      return String.valueOf(error.getMessage());
    }
    if (error instanceof InterruptedException) {
      return "interrupted";
    }
    return exitCode(error) == ExitCode.CLUSTER
        ? Causes.sentence(error)
        : "internal error: " + error + "; details in " + details(error);
  }

  /** Writes the stack trace to a file; returns where it is. */
  private static String details(Throwable error) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    try {
      Path file = Files.createTempFile("packhorse-error-", ".txt");
      Files.writeString(file, BuildVersion.text() + "\n" + trace);
      return file.toString();
    } catch (IOException unwritable) {
      return "this stack trace:\n" + trace;
    }
  }
}
