package io.packhorse.loader.load;

import io.packhorse.loader.export.ExportCounts;
import io.packhorse.loader.export.ExportPart;
import io.packhorse.loader.export.ExportTarget;
import io.packhorse.loader.export.RowExport;
import io.packhorse.loader.export.SeriesNames;
import io.packhorse.loader.export.StreamTarget.ClosedStreamException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.KeyRange;
import io.packhorse.loader.read.PartLedger;
import io.packhorse.loader.read.RowSelection;
import io.packhorse.loader.resolve.UidNames;
import io.packhorse.schema.key.RowKeyLayout;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Exports stored points, the regions of the data table in parallel.
 *
 * @param from the store; stays the caller's
 */
public record Export(StoreConnection from, Announcer announcer) {
  /** In the directory of the files. */
  static final String LEDGER = ".packhorse-export";

  /**
   * Where an export on record has its files.
   *
   * @param directory exists
   * @param format of the files, one word
   * @param resumed whether an export that was stopped goes on; else the directory is empty
   */
  public record Folder(Path directory, String format, boolean resumed) {}

  /**
   * What was exported.
   *
   * @param points exported
   * @param rows series-hours with exported points
   * @param replaced points that another column of their row had a newer value of
   * @param annotations in the rows read; not exported
   * @param histograms in the rows read; not exported
   * @param unknown columns of no known kind
   * @param broken columns and rows that cannot be read
   * @param examples the first of them
   * @param rounded integers that the format could not hold and rounded
   * @param bytes written
   */
  public record Result(
      long points,
      long rows,
      long replaced,
      long annotations,
      long histograms,
      long unknown,
      long broken,
      List<BrokenColumn> examples,
      long rounded,
      long bytes) {
    static Result of(ExportCounts counts, long rounded, long bytes) {
      return new Result(
          counts.points(),
          counts.rows(),
          counts.replaced(),
          counts.annotations(),
          counts.histograms(),
          counts.unknown(),
          counts.broken(),
          counts.examples(),
          rounded,
          bytes);
    }
  }

  /**
   * Exports.
   *
   * @param brokenFile gets a line for each column that cannot be read, if one is named
   * @throws OperationException USAGE if a name has no UID, CLUSTER if the store cannot be read or
   *     the target not be written
   */
  public Result run(PointSelection wanted, ExportTarget target, Optional<Path> brokenFile)
      throws IOException, InterruptedException {
    return run(wanted, target, brokenFile, Optional.empty());
  }

  /**
   * As {@link #run(PointSelection, ExportTarget, Optional)}, on record.
   *
   * @param folder of the export's files
   * @throws OperationException also REFUSED, if there is no such export to go on with
   */
  public Result run(
      PointSelection wanted,
      ExportTarget target,
      Optional<Path> brokenFile,
      Optional<Folder> folder)
      throws IOException, InterruptedException {
    wanted.check("--to");
    try (BrokenFile brokenColumns = new BrokenFile(brokenFile)) {
      ExportCounts counts = new ExportCounts(brokenColumns);
      Optional<PartLedger> ledger =
          folder.isEmpty()
              ? Optional.empty()
              : Optional.of(ledger(folder.get(), wanted, () -> wanted.parts(from)));
      List<List<KeyRange>> parts = ledger.isPresent() ? ledger.get().parts() : wanted.parts(from);
      long bytes = run(parts, wanted, target, ledger, counts);
      return Result.of(counts, target.rounded(), bytes);
    }
  }

  /** Row keys of the parts of an export that begins. */
  interface Parts {
    List<List<KeyRange>> of() throws IOException;
  }

  /** The ledger of an export on record, begun or resumed. */
  PartLedger ledger(Folder folder, PointSelection wanted, Parts parts) throws IOException {
    Path directory = folder.directory().resolve(LEDGER);
    String settings = folder.format() + " " + wanted;
    if (!folder.resumed()) {
      return PartLedger.begin(directory, settings, parts.of());
    }
    try {
      PartLedger ledger = PartLedger.resume(directory, settings);
      announcer.say(
          "resume",
          ledger.completeParts()
              + " of "
              + HumanNumbers.count(ledger.parts().size(), "part", "parts")
              + " exported before");
      return ledger;
    } catch (PartLedger.RefusedException e) {
      throw new OperationException(Kind.REFUSED, "Cannot resume: " + e.getMessage() + ".", e);
    }
  }

  private long run(
      List<List<KeyRange>> parts,
      PointSelection wanted,
      ExportTarget target,
      Optional<PartLedger> ledger,
      ExportCounts counts)
      throws IOException, InterruptedException {
    Optional<String> pattern = wanted.pattern(from);
    UidNames names = from.uidNames();
    try {
      List<long[]> written =
          new PartRun(parts, ledger)
              .run(
                  announcer,
                  "export",
                  () -> HumanNumbers.count(counts.points(), "point", "points"),
                  (number, ranges) ->
                      new long[] {
                        export(
                            new RowSelection(ranges, pattern),
                            wanted,
                            target.open(number),
                            names,
                            counts)
                      });
      return written.stream().mapToLong(bytes -> bytes[0]).sum();
    } catch (ExecutionException e) {
      throw failed(e.getCause(), counts, ledger.isPresent());
    }
  }

  /**
   * What is thrown for the failure of a part.
   *
   * @param onRecord whether the export can be resumed
   */
  static RuntimeException failed(@Nullable Throwable cause, ExportCounts counts, boolean onRecord)
      throws InterruptedException {
    if (cause instanceof OperationException refused) {
      return refused;
    }
    if (cause instanceof ClosedStreamException closed) {
      return new OperationException(
          Kind.INTERRUPTED,
          "Stopped after "
              + HumanNumbers.count(counts.points(), "point", "points")
              + ": "
              + closed.getMessage()
              + ".",
          closed);
    }
    if (cause != null && Causes.isInterrupt(cause)) {
      throw new InterruptedException("interrupted while exporting");
    }
    if (cause instanceof IOException) {
      return new OperationException(
          Kind.CLUSTER,
          "The export is not complete, "
              + HumanNumbers.count(counts.points(), "point was", "points were")
              + " exported: "
              + Causes.sentence(cause)
              + (onRecord ? ". Repeat the command with --resume to export the rest." : "."),
          cause);
    }
    return new IllegalStateException("export failed unexpectedly", cause);
  }

  private long export(
      RowSelection rows, PointSelection wanted, ExportPart to, UidNames names, ExportCounts counts)
      throws IOException {
    RowKeyLayout layout = from.layout().rowKeys();
    try (ExportPart part = to) {
      RowExport export =
          new RowExport(
              layout,
              new SeriesNames(names, layout.widths()),
              wanted.fromMs(),
              wanted.toMs(),
              part,
              counts);
      from.rows().scan(rows, export);
      export.finish();
      part.finish();
      return part.bytes();
    }
  }

  /** The file with all columns that cannot be read; it is made with the first of them. */
  static final class BrokenFile implements ExportCounts.BrokenLog, AutoCloseable {
    private final Optional<Path> file;
    private Optional<Writer> writer = Optional.empty();

    BrokenFile(Optional<Path> file) {
      this.file = file;
    }

    @Override
    public void take(BrokenColumn column) throws IOException {
      if (file.isEmpty()) {
        return;
      }
      if (writer.isEmpty()) {
        writer = Optional.of(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8));
      }
      writer.get().write(column.line());
    }

    @Override
    public void close() throws IOException {
      if (writer.isPresent()) {
        writer.get().close();
      }
    }
  }
}
