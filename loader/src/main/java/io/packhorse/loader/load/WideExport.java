package io.packhorse.loader.load;

import io.packhorse.loader.export.ExportCounts;
import io.packhorse.loader.export.RowExport;
import io.packhorse.loader.export.SeriesNames;
import io.packhorse.loader.export.TextPart;
import io.packhorse.loader.export.WidePart;
import io.packhorse.loader.export.WidePart.FullException;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.KeyRange;
import io.packhorse.loader.read.PartLedger;
import io.packhorse.loader.read.RowSelection;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * Exports a row for each time, with a column for each series. Rows of the table are in order of
 * metric before time, so their keys are read first, to know the series and the hours; then each
 * hour is read from all places where it may have rows.
 */
public final class WideExport {
  private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

  private final Export export;
  private final StoreConnection from;
  private final PointSelection wanted;
  private final RowKeyLayout layout;
  private final Optional<String> pattern;
  private final List<Long> metrics;

  /** Where the lines of parts go; a part has a day, or there is only one. */
  public interface Outputs {
    TextPart.Output open(int part) throws IOException;
  }

  private record Found(List<SeriesName> series, BitSet hours) {}

  /**
   * @param export whose store is read
   * @throws OperationException USAGE if a name has no UID, or no metric is named
   */
  public WideExport(Export export, PointSelection wanted) throws IOException {
    wanted.check("--to");
    if (wanted.metrics().isEmpty()) {
      throw new OperationException(
          Kind.USAGE, "A column for each series needs to know which: add --metric NAME.");
    }
    this.export = export;
    this.from = export.from();
    this.wanted = wanted;
    this.layout = from.layout().rowKeys();
    this.pattern = wanted.pattern(from);
    this.metrics = wanted.metricUids(from);
  }

  /**
   * Exports.
   *
   * @param outputs of the days, if there is a folder, else one for all
   * @param brokenFile gets a line for each column that cannot be read, if one is named
   * @param folder of the export's files, if it has some
   * @throws OperationException as {@link Export#run}; also USAGE if there are too many series
   */
  public Export.Result run(
      Outputs outputs, Optional<Path> brokenFile, Optional<Export.Folder> folder)
      throws IOException, InterruptedException {
    try (Export.BrokenFile brokenColumns = new Export.BrokenFile(brokenFile)) {
      ExportCounts counts = new ExportCounts(brokenColumns);
      try {
        Found found = find();
        Optional<PartLedger> ledger =
            folder.isEmpty() ? Optional.empty() : Optional.of(ledger(folder.get(), found));
        List<List<KeyRange>> parts =
            ledger.isPresent() ? ledger.get().parts() : List.of(wanted.ranges(from));
        List<long[]> written =
            new PartRun(parts, ledger)
                .run(
                    export.announcer(),
                    "export",
                    () -> HumanNumbers.count(counts.points(), "point", "points"),
                    (number, ranges) ->
                        new long[] {
                          part(
                              folder.isEmpty() ? wanted : day(ranges),
                              found,
                              outputs.open(number),
                              counts)
                        });
        return Export.Result.of(counts, 0, written.stream().mapToLong(bytes -> bytes[0]).sum());
      } catch (ExecutionException e) {
        throw Export.failed(e.getCause(), counts, folder.isPresent());
      }
    }
  }

  /** Reads all row keys: which series there are, and which hours have rows. */
  private Found find() throws IOException, InterruptedException, ExecutionException {
    Set<Tsuid> series = new HashSet<>();
    BitSet hours = new BitSet();
    new PartRun(wanted.parts(from), Optional.empty())
        .run(
            export.announcer(),
            "series",
            () -> "looking for them",
            (number, ranges) -> {
              from.rows()
                  .scanKeys(
                      new RowSelection(ranges, pattern),
                      row -> {
                        try {
                          Tsuid tsuid = layout.tsuid(row.rowKey());
                          long hour = layout.baseTimeSeconds(row.rowKey());
                          synchronized (series) {
                            series.add(tsuid);
                            hours.set((int) (hour / BaseTime.HOUR_SECONDS));
                            check(series.size());
                          }
                        } catch (MalformedCellException e) {
                          // Its row is counted when it is read.
                        }
                      });
              return new long[0];
            });
    SeriesNames names = new SeriesNames(from.uidNames(), layout.widths());
    names.prepare(series);
    List<SeriesName> named = new ArrayList<>();
    for (Tsuid each : series) {
      try {
        named.add(names.of(each));
      } catch (SeriesNames.NoNameException e) {
        // The same.
      }
    }
    named.sort(
        Comparator.comparing(SeriesName::metric).thenComparing(name -> name.tags().toString()));
    return new Found(named, hours);
  }

  private static void check(int series) {
    if (series > WidePart.COLUMNS_MAX) {
      throw new OperationException(
          Kind.USAGE,
          "More than "
              + WidePart.COLUMNS_MAX
              + " series are wanted, and each would be a column: choose fewer with --where, or use"
              + " --format csv or parquet.");
    }
  }

  /** Its parts are days; the header is beside it. */
  private PartLedger ledger(Export.Folder folder, Found found) throws IOException {
    Path headerFile = folder.directory().resolve(Export.LEDGER).resolve("header");
    String header = WidePart.header(found.series());
    PartLedger ledger = export.ledger(folder, wanted, () -> days(found.hours()));
    if (!folder.resumed()) {
      Files.writeString(headerFile, header);
    } else if (!Files.exists(headerFile) || !Files.readString(headerFile).equals(header)) {
      throw new OperationException(
          Kind.REFUSED,
          "Cannot resume: other series are stored now than when the export in "
              + folder.directory()
              + " began, so its files would have other columns. Begin a new one in another"
              + " directory.");
    }
    return ledger;
  }

  private List<List<KeyRange>> days(BitSet hours) throws IOException {
    List<List<KeyRange>> days = new ArrayList<>();
    int hoursADay = (int) Duration.ofDays(1).toHours();
    int hour = hours.nextSetBit(0);
    while (hour >= 0) {
      long begin = hour / hoursADay * DAY_SECONDS;
      long end = Math.min(begin + DAY_SECONDS, RowKeyLayout.END_OF_TIME);
      days.add(ranges(begin, end));
      hour = hours.nextSetBit((hour / hoursADay + 1) * hoursADay);
    }
    return days;
  }

  /** What is wanted of the day of a part, by the beginning of its first range. */
  private PointSelection day(List<KeyRange> ranges) {
    byte[] key = ranges.get(0).start();
    long begin = 0;
    for (int i = key.length - RowKeyLayout.TIME_LENGTH; i < key.length; i++) {
      begin = (begin << 8) | (key[i] & 0xff);
    }
    Instant first = Instant.ofEpochSecond(begin);
    Instant end = first.plusSeconds(DAY_SECONDS);
    return new PointSelection(
        wanted.metrics(),
        wanted.tags(),
        Optional.of(Instant.ofEpochMilli(Math.max(first.toEpochMilli(), wanted.fromMs()))),
        Optional.of(Instant.ofEpochMilli(Math.min(end.toEpochMilli(), wanted.toMs()))));
  }

  private List<KeyRange> ranges(long fromSeconds, long toSeconds) {
    List<KeyRange> ranges = new ArrayList<>();
    for (int bucket = 0; bucket < layout.salt().buckets(); bucket++) {
      for (long metric : metrics) {
        ranges.add(
            new KeyRange(
                layout.scanStart(bucket, metric, fromSeconds),
                layout.scanStop(bucket, metric, toSeconds)));
      }
    }
    return ranges;
  }

  private long part(PointSelection of, Found found, TextPart.Output output, ExportCounts counts)
      throws IOException {
    try (WidePart part = new WidePart(found.series(), output)) {
      SeriesNames names = new SeriesNames(from.uidNames(), layout.widths());
      int hour = found.hours().nextSetBit((int) (of.fromMs() / BaseTime.HOUR_MS));
      while (hour >= 0 && (long) hour * BaseTime.HOUR_MS < of.toMs()) {
        hour((long) hour * BaseTime.HOUR_MS, of, names, part, counts);
        hour = found.hours().nextSetBit(hour + 1);
      }
      part.finish();
      return part.bytes();
    }
  }

  /** Exports an hour: at once if its points fit, else a part after the other. */
  private void hour(
      long baseMs, PointSelection of, SeriesNames names, WidePart part, ExportCounts counts)
      throws IOException {
    long end = Math.min(of.toMs(), baseMs + BaseTime.HOUR_MS);
    long begin = Math.max(of.fromMs(), baseMs);
    if (span(baseMs, begin, end, names, part, Optional.of(counts))) {
      return;
    }
    part.begin(true);
    scan(baseMs, new RowExport(layout, names, begin, end, part, counts));
    long length = (end - begin + 1) / 2;
    while (begin < end) {
      long to = Math.min(end, begin + length);
      if (span(baseMs, begin, to, names, part, Optional.empty())) {
        begin = to;
      } else {
        length = (length + 1) / 2;
      }
    }
  }

  /**
   * Exports a part of an hour.
   *
   * @param counts gets what was read, unless it was counted before
   * @return whether its points fit in memory; if they do not, nothing was done
   */
  private boolean span(
      long baseMs,
      long fromMs,
      long toMs,
      SeriesNames names,
      WidePart part,
      Optional<ExportCounts> counts)
      throws IOException {
    List<BrokenColumn> broken = new ArrayList<>();
    ExportCounts own = new ExportCounts(broken::add);
    part.begin(false);
    try {
      scan(baseMs, new RowExport(layout, names, fromMs, toMs, part, own));
    } catch (FullException e) {
      return false;
    }
    part.write(baseMs);
    if (counts.isPresent()) {
      counts.get().add(own, broken);
    }
    return true;
  }

  private void scan(long baseMs, RowExport rows) throws IOException {
    long seconds = baseMs / 1000;
    for (KeyRange range : ranges(seconds, seconds + BaseTime.HOUR_SECONDS)) {
      from.rows().scan(new RowSelection(List.of(range), pattern), rows);
    }
    rows.finish();
  }
}
