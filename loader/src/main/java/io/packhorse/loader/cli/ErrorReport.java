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
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns what a command throws into one sentence on stderr and an exit code. */
final class ErrorReport implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception error, CommandLine command, ParseResult parsed) {
    return report(error, command.getErr());
  }

  /** Also for errors: the JVM would print them on System.err, which the launcher has closed. */
  static int report(Throwable error, PrintWriter err) {
    if (error instanceof OperationException stated) {
      String sentence = String.valueOf(stated.getMessage());
      if (!sentence.isEmpty()) {
        err.println("packhorse: " + sentence);
      }
      return ExitCode.of(stated.kind()).code();
    }
    if (error instanceof StoreException store) {
      err.println("packhorse: " + store.getMessage());
      return switch (store.kind()) {
        case REFUSED -> ExitCode.PREFLIGHT.code();
        case FAILED -> ExitCode.CLUSTER.code();
      };
    }
    if (error instanceof JobException job) {
      err.println("packhorse: " + job.getMessage());
      return ExitCode.PREFLIGHT.code();
    }
    if (error instanceof InterruptedException) {
      err.println("packhorse: interrupted");
      return ExitCode.INTERRUPTED.code();
    }
    if (Causes.innermost(error) instanceof OutOfMemoryError) {
      err.println("packhorse: " + Causes.sentence(error));
      return ExitCode.CLUSTER.code();
    }
    err.println("packhorse: internal error: " + error + "; details in " + details(error));
    return ExitCode.INTERNAL.code();
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
