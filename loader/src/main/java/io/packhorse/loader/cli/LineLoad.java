package io.packhorse.loader.cli;

import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.ImportLinesException;
import io.packhorse.loader.source.ImportLinesSource;
import io.packhorse.loader.source.Rejects;
import java.io.PrintWriter;
import java.util.List;

/** Loads import lines. */
final class LineLoad {
  private LineLoad() {}

  /**
   * Reads, packs and writes; one thread reads.
   *
   * @param rejects gets the lines that are no points; the caller closes it
   * @throws CommandException as {@link LoadRun#run}, but USAGE if the input is at fault
   */
  static LoadOutcome run(
      Destination destination,
      List<ImportLinesSource.Input> inputs,
      Rejects rejects,
      LoadOptions options,
      PrintWriter err)
      throws ImportLinesException {
    SeriesNames names = new SeriesNames();
    LoadPipeline pipeline = destination.newPipeline(options.form(), destination.newResolver());
    try (ImportLinesSource source = new ImportLinesSource(inputs, names, rejects)) {
      return new LoadRun(pipeline, destination, rejects::total, 0, err)
          .run(started -> started.run(source, names, options.threads(), SealPolicy.FILES));
    } catch (CommandException e) {
      if (e.getCause() instanceof ImportLinesException) {
        throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }
}
