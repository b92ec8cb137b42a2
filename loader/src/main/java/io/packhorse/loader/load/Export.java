package io.packhorse.loader.load;

import io.packhorse.loader.export.BrokenColumn;
import io.packhorse.loader.export.ExportCounts;
import io.packhorse.loader.export.ExportLedger;
import io.packhorse.loader.export.ExportPart;
import io.packhorse.loader.export.ExportTarget;
import io.packhorse.loader.export.RowExport;
import io.packhorse.loader.export.StreamTarget.ClosedStreamException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.read.KeyPattern;
import io.packhorse.loader.read.KeyRange;
import io.packhorse.loader.read.RowSelection;
import io.packhorse.loader.resolve.UidNames;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Exports stored points, the regions of the data table in parallel.
 *
 * @param from the store; stays the caller's
 */
public record Export(StoreConnection from, Announcer announcer) {
  /** Rows on their way, and a row group of Parquet. */
  private static final long HEAP_A_THREAD = 96L << 20;

  private static final long END_MS = RowKeyLayout.END_OF_TIME * 1000;

  /**
   * Which points.
   *
   * @param metrics names; none for all
   * @param tags values by tag key that a series must have one of; no values for any value
   * @param from first time; empty for the beginning
   * @param to time after the last; empty for the end
   */
  public record Wanted(
      List<String> metrics,
      SortedMap<String, List<String>> tags,
      Optional<Instant> from,
      Optional<Instant> to) {
    private long fromMs() {
      return from.map(Instant::toEpochMilli).orElse(0L);
    }

    private long toMs() {
      return to.map(Instant::toEpochMilli).orElse(END_MS);
    }
  }

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
      long bytes) {}

  /**
   * Exports.
   *
   * @param brokenFile gets a line for each column that cannot be read, if one is named
   * @throws OperationException USAGE if a name has no UID, CLUSTER if the store cannot be read or
   *     the target not be written
   */
  public Result run(Wanted wanted, ExportTarget target, Optional<Path> brokenFile)
      throws IOException, InterruptedException {
    return run(wanted, target, brokenFile, Optional.empty());
  }

  /**
   * As {@link #run(Wanted, ExportTarget, Optional)}, on record.
   *
   * @param folder of the export's files
   * @throws OperationException also REFUSED, if there is no such export to go on with
   */
  public Result run(
      Wanted wanted, ExportTarget target, Optional<Path> brokenFile, Optional<Folder> folder)
      throws IOException, InterruptedException {
    if (wanted.fromMs() < 0 || wanted.fromMs() >= wanted.toMs() || wanted.toMs() > END_MS) {
      throw new OperationException(
          Kind.USAGE, "--from must be before --to, both of them from 1970 to 2106.");
    }
    try (BrokenFile brokenColumns = new BrokenFile(brokenFile)) {
      ExportCounts counts = new ExportCounts(brokenColumns);
      Optional<ExportLedger> ledger = ledger(folder, wanted);
      List<List<KeyRange>> parts = ledger.isPresent() ? ledger.get().parts() : parts(wanted);
      long bytes = run(parts, wanted, target, ledger, counts);
      return new Result(
          counts.points(),
          counts.rows(),
          counts.replaced(),
          counts.annotations(),
          counts.histograms(),
          counts.unknown(),
          counts.broken(),
          counts.examples(),
          target.rounded(),
          bytes);
    }
  }

  private Optional<ExportLedger> ledger(Optional<Folder> folder, Wanted wanted) throws IOException {
    if (folder.isEmpty()) {
      return Optional.empty();
    }
    Path directory = folder.get().directory();
    String settings = folder.get().format() + " " + wanted;
    if (!folder.get().resumed()) {
      return Optional.of(ExportLedger.begin(directory, settings, parts(wanted)));
    }
    try {
      ExportLedger ledger = ExportLedger.resume(directory, settings);
      announcer.say(
          "resume",
          ledger.completeParts()
              + " of "
              + HumanNumbers.count(ledger.parts().size(), "region", "regions")
              + " exported before");
      return Optional.of(ledger);
    } catch (ExportLedger.RefusedException e) {
      throw new OperationException(Kind.REFUSED, "Cannot resume: " + e.getMessage() + ".", e);
    }
  }

  private long run(
      List<List<KeyRange>> parts,
      Wanted wanted,
      ExportTarget target,
      Optional<ExportLedger> ledger,
      ExportCounts counts)
      throws IOException, InterruptedException {
    AtomicInteger done = new AtomicInteger(ledger.map(ExportLedger::completeParts).orElse(0));
    Optional<String> pattern = pattern(wanted);
    long bytes = 0;
    UidNames names = from.uidNames();
    ExecutorService executor = Executors.newFixedThreadPool(threads());
    try (Announcer.Progress progress =
        announcer.progress(
            () ->
                new Announcer.Status(
                    "export",
                    (double) done.get() / Math.max(1, parts.size()),
                    OptionalDouble.empty(),
                    List.of(
                        HumanNumbers.count(counts.points(), "point", "points"),
                        done.get() + " of " + parts.size() + " regions")))) {
      CompletionService<Long> running = new ExecutorCompletionService<>(executor);
      int submitted = 0;
      for (int i = 0; i < parts.size(); i++) {
        int number = i;
        if (ledger.map(each -> each.isComplete(number)).orElse(false)) {
          continue;
        }
        RowSelection rows = new RowSelection(parts.get(number), pattern);
        running.submit(
            () -> {
              long written = export(rows, wanted, target.open(number), names, counts);
              if (ledger.isPresent()) {
                ledger.get().complete(number);
              }
              return written;
            });
        submitted++;
      }
      for (int i = 0; i < submitted; i++) {
        bytes += running.take().get();
        done.incrementAndGet();
      }
      return bytes;
    } catch (ExecutionException e) {
      throw failed(e.getCause(), counts, ledger.isPresent());
    } finally {
      executor.shutdownNow();
    }
  }

  /** One for each core, but no more than the heap has room for. */
  private static int threads() {
    Runtime runtime = Runtime.getRuntime();
    long fit = runtime.maxMemory() / HEAP_A_THREAD;
    return (int) Math.max(1, Math.min(runtime.availableProcessors(), fit));
  }

  private static RuntimeException failed(
      @Nullable Throwable cause, ExportCounts counts, boolean onRecord)
      throws InterruptedException {
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
    if (cause instanceof InterruptedIOException) {
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
      RowSelection rows, Wanted wanted, ExportPart to, UidNames names, ExportCounts counts)
      throws IOException {
    try (ExportPart part = to) {
      RowExport export =
          new RowExport(
              from.layout().rowKeys(), names, wanted.fromMs(), wanted.toMs(), part, counts);
      from.rows().scan(rows, export);
      export.finish();
      return part.bytes();
    }
  }

  private Optional<String> pattern(Wanted wanted) throws IOException {
    return wanted.tags().isEmpty()
        ? Optional.empty()
        : Optional.of(KeyPattern.of(from.layout().rowKeys(), tags(wanted)));
  }

  /** The row keys wanted in each region that may have some. */
  private List<List<KeyRange>> parts(Wanted wanted) throws IOException {
    List<KeyRange> ranges = ranges(wanted);
    List<List<KeyRange>> parts = new ArrayList<>();
    for (KeyRange region : from.rows().regions()) {
      List<KeyRange> inside = new ArrayList<>();
      ranges.forEach(range -> range.intersect(region).ifPresent(inside::add));
      if (!inside.isEmpty()) {
        parts.add(inside);
      }
    }
    return parts;
  }

  private List<KeyRange> ranges(Wanted wanted) throws IOException {
    if (wanted.metrics().isEmpty() && wanted.from().isEmpty() && wanted.to().isEmpty()) {
      return List.of(new KeyRange(new byte[0], new byte[0]));
    }
    RowKeyLayout layout = from.layout().rowKeys();
    long firstHour = BaseTime.ofSeconds(wanted.fromMs() / 1000);
    long endHour = ((wanted.toMs() - 1) / BaseTime.HOUR_MS + 1) * BaseTime.HOUR_SECONDS;
    List<Long> metrics = new ArrayList<>();
    for (String name : wanted.metrics()) {
      metrics.add(uid(UidKind.METRIC, name, "--metric"));
    }
    if (metrics.isEmpty()) {
      metrics.addAll(from.uidNames().all(UidKind.METRIC).keySet());
    }
    metrics.sort(Comparator.naturalOrder());
    List<KeyRange> ranges = new ArrayList<>();
    for (int bucket = 0; bucket < layout.salt().buckets(); bucket++) {
      for (long metric : metrics.stream().distinct().toList()) {
        ranges.add(
            new KeyRange(
                layout.scanStart(bucket, metric, firstHour),
                layout.scanStop(bucket, metric, endHour)));
      }
    }
    return ranges;
  }

  private SortedMap<Long, List<Long>> tags(Wanted wanted) throws IOException {
    SortedMap<Long, List<Long>> tags = new TreeMap<>();
    for (Map.Entry<String, List<String>> tag : wanted.tags().entrySet()) {
      List<Long> values = new ArrayList<>();
      for (String value : tag.getValue()) {
        values.add(uid(UidKind.TAGV, value, "--where"));
      }
      tags.put(uid(UidKind.TAGK, tag.getKey(), "--where"), values);
    }
    return tags;
  }

  private long uid(UidKind kind, String name, String option) throws IOException {
    OptionalLong uid = from.knownUids().find(kind, name);
    String what =
        switch (kind) {
          case METRIC -> "metric";
          case TAGK -> "tag";
          case TAGV -> "tag value";
        };
    return uid.orElseThrow(
        () ->
            new OperationException(
                Kind.USAGE, "The store has no " + what + " " + name + ": correct " + option + "."));
  }

  /** The file with all columns that cannot be read; it is made with the first of them. */
  private static final class BrokenFile implements ExportCounts.BrokenLog, AutoCloseable {
    private final Optional<Path> file;
    private Optional<Writer> writer = Optional.empty();

    private BrokenFile(Optional<Path> file) {
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
      writer.get().write(column.rowKey() + "\t" + column.column() + "\t" + column.reason() + "\n");
    }

    @Override
    public void close() throws IOException {
      if (writer.isPresent()) {
        writer.get().close();
      }
    }
  }
}
