package net.opentsdb.core;

import com.stumbleupon.async.Deferred;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.summary.SummaryLevel;
import io.packhorse.schema.summary.SummaryQualifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.hbase.async.Bytes;
import org.hbase.async.FilterList;
import org.hbase.async.FirstKeyOnlyFilter;
import org.hbase.async.GetRequest;
import org.hbase.async.GetResultOrException;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one salt bucket for a query that uses summaries: first one for each series, with what
 * its summaries answer for; then the rows of the other hours. Which these are is known when the
 * hours with columns of OpenTSDB's own have been listed and the summaries read, months before days
 * before hours. If anything is wrong with summaries, all rows of the bucket are read.
 *
 * <p>One call after the other.
 */
@NullMarked
@SuppressWarnings("NonApiType") // types of the HBase client
final class SummaryRows {
  private static final int TIME_AT = Const.SALT_WIDTH() + TSDB.metrics_width();
  private static final int TAGS_AT = TIME_AT + Const.TIMESTAMP_BYTES;
  private static final int GETS_A_CALL = 128;
  private static final int ROWS_A_CALL = 1024;

  /** Rows of so many series of an hour, or of a summary, are rather scanned than fetched. */
  private static final int SCAN_FROM = 16;

  /** And at least one of so many. */
  private static final int SCAN_SHARE = 8;

  private final SummaryPlan plan;
  private final byte[] metric;
  private final int bucket;

  /** Makes a scanner of all rows of the query in this bucket. */
  private final Supplier<Scanner> allSeries;

  private final DirectedRead.@Nullable Few few;

  /** Makes a scanner for the series in {@link #few}; null if this bucket has none of them. */
  private final @Nullable Supplier<Scanner> fewSeries;

  private final LongConsumer memory;

  private final Map<ByteBuffer, SummarySeries> series = new HashMap<>();
  private boolean prepared;
  private long blockBytes;
  private volatile @Nullable Scanner scanning;

  /** What is still to be returned. */
  private ArrayList<ArrayList<KeyValue>> ready = new ArrayList<>();

  private final Deque<byte[]> keys = new ArrayDeque<>();
  private final Deque<Supplier<Scanner>> scans = new ArrayDeque<>();

  /**
   * By the tags of a series, the hours to be read from its cells, if a scan also returns hours that
   * its summaries have answered for.
   */
  private final Map<ByteBuffer, HourRanges> wanted = new HashMap<>();

  /**
   * @param allSeries makes a scanner of all rows of the query in this bucket
   * @param few the series to read by key; null to read all
   * @param fewSeries makes a scanner of those in this bucket; null if there are none
   * @param memory takes memory for the query, or gives it back
   */
  SummaryRows(
      SummaryPlan plan,
      byte[] metric,
      int bucket,
      Supplier<Scanner> allSeries,
      DirectedRead.@Nullable Few few,
      @Nullable Supplier<Scanner> fewSeries,
      LongConsumer memory) {
    this.plan = plan;
    this.metric = metric;
    this.bucket = bucket;
    this.allSeries = allSeries;
    this.few = few;
    this.fewSeries = fewSeries;
    this.memory = memory;
  }

  /** The next rows; null at the end. */
  Deferred<ArrayList<ArrayList<KeyValue>>> next() {
    if (prepared) {
      return produce();
    }
    prepared = true;
    return prepare()
        .addErrback(
            (Exception e) -> {
              plan.failed(e);
              readAll();
              return null;
            })
        .addCallbackDeferring(done -> produce());
  }

  /** Ends the scan that runs. */
  void close() {
    Scanner last = scanning;
    if (last != null) {
      last.close();
    }
  }

  /** All first rows are asked for at the same time, and then taken one after the other. */
  private Deferred<Object> prepare() {
    Deferred<Object> step = forEach(live(), this::takeLive);
    if (few == null || fewSeries != null) {
      for (SummaryLevel level : plan.levels()) {
        long from = level.row(plan.shape().fromSeconds());
        Supplier<Deferred<Object>> next = scanLevel(level, from, plan.shape().toSeconds());
        step = step.addCallbackDeferring(done -> next.get());
      }
    }
    return step.addCallbackDeferring(done -> resolve(plan.levels().get(0)));
  }

  /** Scans the hours with columns of OpenTSDB's own: one cell of each row, without its value. */
  private Scanner live() {
    Scanner scanner = allSeries.get();
    scanner.setFamily(TSDB.FAMILY());
    scanner.setMaxNumRows(ROWS_A_CALL);
    List<ScanFilter> filters = new ArrayList<>();
    if (scanner.getFilter() != null) {
      filters.add(scanner.getFilter());
    }
    filters.add(new FirstKeyOnlyFilter());
    filters.add(new KeyOnlyFilter());
    scanner.setFilter(new FilterList(filters));
    return scanner;
  }

  private void takeLive(List<KeyValue> row) {
    byte[] key = row.get(0).key();
    of(key).addLive(Bytes.getUnsignedInt(key, TIME_AT));
  }

  private SummarySeries of(byte[] key) {
    byte[] tags = Arrays.copyOfRange(key, TAGS_AT, key.length);
    return series.computeIfAbsent(ByteBuffer.wrap(tags), of -> new SummarySeries(plan, tags));
  }

  private interface RowReader {
    void read(List<KeyValue> row) throws MalformedCellException;
  }

  /** Reads all rows of a scanner, of which the first are asked for at once. */
  private Deferred<Object> forEach(Scanner scanner, RowReader reader) {
    return begin(scanner, reader).get();
  }

  private Supplier<Deferred<Object>> begin(Scanner scanner, RowReader reader) {
    Reading reading = new Reading(scanner, reader);
    return () -> {
      scanning = scanner;
      reading.next();
      return reading.end;
    };
  }

  private final class Reading {
    private final Scanner scanner;
    private final RowReader reader;
    private final Deferred<Object> end = new Deferred<>();
    private @Nullable Deferred<ArrayList<ArrayList<KeyValue>>> first;
    private long rows;

    Reading(Scanner scanner, RowReader reader) {
      this.scanner = scanner;
      this.reader = reader;
      this.first = scanner.nextRows();
    }

    void next() {
      Deferred<ArrayList<ArrayList<KeyValue>>> batch = first == null ? scanner.nextRows() : first;
      first = null;
      QueryThreads.handOff(batch, rows, this::read, this::fail);
    }

    private @Nullable Object read(@Nullable ArrayList<ArrayList<KeyValue>> batch)
        throws MalformedCellException {
      if (batch == null) {
        stop();
        end.callback(null);
        return null;
      }
      rows += batch.size();
      for (List<KeyValue> row : batch) {
        reader.read(row);
      }
      next();
      return null;
    }

    private @Nullable Object fail(Exception e) {
      stop();
      end.callback(e);
      return null;
    }

    private void stop() {
      scanning = null;
      scanner.close();
    }
  }

  /** Begins to read rows of a level, of all series of the query. */
  private Supplier<Deferred<Object>> scanLevel(
      SummaryLevel level, long fromSeconds, long toSeconds) {
    Scanner like = (fewSeries == null ? allSeries : fewSeries).get();
    Scanner scanner = plan.client().newScanner(plan.table());
    scanner.setStartKey(key(fromSeconds, new byte[0]));
    scanner.setStopKey(key(toSeconds, new byte[0]));
    scanner.setFamily(level.family());
    scanner.setMaxNumKeyValues(Integer.MAX_VALUE);
    scanner.setMaxNumRows(ROWS_A_CALL);
    if (like.getFilter() != null) {
      scanner.setFilter(like.getFilter());
    }
    return begin(scanner, row -> take(level, row));
  }

  private void take(SummaryLevel level, List<KeyValue> row) {
    byte[] key = row.get(0).key();
    SummarySeries of = of(key);
    for (KeyValue cell : row) {
      if (SummaryQualifier.matches(cell.qualifier())
          && plan.counts(SummaryQualifier.parse(cell.qualifier()).loaderId())) {
        of.addBlock(level, Bytes.getUnsignedInt(key, TIME_AT), cell.value());
        memory.accept(cell.value().length);
        blockBytes += cell.value().length;
      }
    }
  }

  private byte[] key(long seconds, byte[] tags) {
    byte[] key = new byte[TAGS_AT + tags.length];
    if (Const.SALT_WIDTH() > 0) {
      System.arraycopy(RowKey.getSaltBytes(bucket), 0, key, 0, Const.SALT_WIDTH());
    }
    System.arraycopy(metric, 0, key, Const.SALT_WIDTH(), metric.length);
    Bytes.setInt(key, (int) seconds, TIME_AT);
    System.arraycopy(tags, 0, key, TAGS_AT, tags.length);
    return key;
  }

  /** Resolves a level, reads what is wanted of the next one, and so on. */
  private Deferred<Object> resolve(SummaryLevel level) {
    try {
      for (SummarySeries each : series.values()) {
        each.resolve(level);
      }
    } catch (MalformedCellException e) {
      return Deferred.fromError(new IllegalDataException("A summary is damaged: " + e, e));
    }
    if (level == SummaryLevel.HOUR && few != null && fewSeries == null) {
      choose();
      return Deferred.fromResult(null);
    }
    if (level == SummaryLevel.HOUR) {
      return plan.check()
          .addCallback(
              done -> {
                choose();
                return null;
              });
    }
    SummaryLevel next = level == SummaryLevel.MONTH ? SummaryLevel.DAY : SummaryLevel.HOUR;
    if (plan.levels().contains(next)) {
      return resolve(next);
    }
    return readWanted(next).addCallbackDeferring(done -> resolve(next));
  }

  /** Reads the rows of a level that series want: by key, or by a scan where many want a row. */
  private Deferred<Object> readWanted(SummaryLevel level) {
    TreeMap<Long, List<SummarySeries>> byRow = new TreeMap<>();
    for (SummarySeries each : series.values()) {
      for (long row : each.wantedRows()) {
        byRow.computeIfAbsent(row, of -> new ArrayList<>()).add(each);
      }
    }
    Deferred<Object> step = Deferred.fromResult(null);
    List<GetRequest> gets = new ArrayList<>();
    for (Map.Entry<Long, List<SummarySeries>> row : byRow.entrySet()) {
      if (isMany(row.getValue().size())) {
        step =
            step.addCallbackDeferring(
                done -> scanLevel(level, row.getKey(), level.nextRow(row.getKey())).get());
        continue;
      }
      for (SummarySeries each : row.getValue()) {
        gets.add(
            new GetRequest(plan.table(), key(row.getKey(), each.tags()))
                .family(level.family().getBytes(StandardCharsets.US_ASCII)));
      }
    }
    for (int from = 0; from < gets.size(); from += GETS_A_CALL) {
      List<GetRequest> some = gets.subList(from, Math.min(gets.size(), from + GETS_A_CALL));
      step =
          step.addCallbackDeferring(
              done ->
                  get(some)
                      .addCallback(
                          found -> {
                            found.forEach(row -> take(level, row));
                            return null;
                          }));
    }
    return step;
  }

  private boolean isMany(int of) {
    return of >= SCAN_FROM && (long) of * SCAN_SHARE >= series.size();
  }

  /** Rows by key; those that are not there are left out. */
  private Deferred<ArrayList<ArrayList<KeyValue>>> get(List<GetRequest> gets) {
    return plan.client()
        .get(gets)
        .addCallbackDeferring(
            results -> {
              ArrayList<ArrayList<KeyValue>> rows = new ArrayList<>();
              for (GetResultOrException result : results) {
                if (result.getException() != null) {
                  return Deferred.fromError(result.getException());
                }
                if (!result.getCells().isEmpty()) {
                  rows.add(new ArrayList<>(result.getCells()));
                }
              }
              return Deferred.fromResult(rows);
            });
  }

  /** Decides how the rows are read that summaries do not answer for. */
  private void choose() {
    HourRanges many = new HourRanges(plan.shape().fromSeconds(), plan.shape().toSeconds());
    Map<Long, Integer> byHour = new HashMap<>();
    for (SummarySeries each : series.values()) {
      forEachHour(each.rows(), hour -> byHour.merge(hour, 1, Integer::sum));
    }
    byHour.forEach(
        (hour, count) -> {
          if (isMany(count)) {
            many.add(hour, hour + BaseTime.HOUR_SECONDS);
          }
        });
    HourRanges scanned = new HourRanges(plan.claimed());
    many.forEach(scanned::add);
    List<byte[]> single = new ArrayList<>();
    for (SummarySeries each : series.values()) {
      forEachHour(
          each.rows(),
          hour -> {
            if (!scanned.has(hour) || (few != null && !few.has(each.tags()))) {
              single.add(key(hour, each.tags()));
            }
          });
      if (!each.rows().hasAll(many)) {
        wanted.put(ByteBuffer.wrap(each.tags()), each.rows());
      }
      SummaryBuckets begun = each.buckets();
      if (begun != null) {
        memory.accept(begun.bytes());
        ArrayList<KeyValue> row = new ArrayList<>(1);
        row.add(plan.row(key(plan.shape().fromSeconds(), each.tags()), begun));
        ready.add(row);
      }
    }
    memory.accept(-blockBytes);
    single.sort(Bytes.MEMCMP);
    keys.addAll(single);
    if (few == null || fewSeries != null) {
      scanned.forEach((from, to) -> scans.add(() -> scanner(from, to)));
    }
    series.clear();
  }

  private static void forEachHour(HourRanges hours, LongConsumer visitor) {
    hours.forEach(
        (from, to) -> {
          for (long hour = from; hour < to; hour += BaseTime.HOUR_SECONDS) {
            visitor.accept(hour);
          }
        });
  }

  /** All rows of some hours; few series that no loader knows are read by key. */
  private Scanner scanner(long fromSeconds, long toSeconds) {
    Scanner scanner = (fewSeries == null ? allSeries : fewSeries).get();
    scanner.setStartKey(key(fromSeconds, new byte[0]));
    scanner.setStopKey(key(toSeconds, new byte[0]));
    return scanner;
  }

  /** Whether a scanned row is to be read; else summaries have answered for it. */
  private boolean isWanted(List<KeyValue> row) {
    byte[] key = row.get(0).key();
    HourRanges hours = wanted.get(ByteBuffer.wrap(key, TAGS_AT, key.length - TAGS_AT));
    long hour = Bytes.getUnsignedInt(key, TIME_AT);
    return hours == null || hours.has(hour) || plan.claimed().has(hour);
  }

  private void readAll() {
    series.clear();
    wanted.clear();
    ready.clear();
    keys.clear();
    scans.clear();
    scans.add(allSeries);
  }

  private Deferred<ArrayList<ArrayList<KeyValue>>> produce() {
    if (!ready.isEmpty()) {
      ArrayList<ArrayList<KeyValue>> rows = ready;
      ready = new ArrayList<>();
      return Deferred.fromResult(rows);
    }
    if (!keys.isEmpty()) {
      List<GetRequest> gets = new ArrayList<>();
      while (!keys.isEmpty() && gets.size() < GETS_A_CALL) {
        gets.add(new GetRequest(plan.dataTable(), keys.remove()));
      }
      return get(gets);
    }
    Scanner scanner = scanning;
    if (scanner == null) {
      if (scans.isEmpty()) {
        return Deferred.fromResult(null);
      }
      scanner = scans.remove().get();
      scanning = scanner;
    }
    return scanner
        .nextRows()
        .addCallbackDeferring(
            rows -> {
              if (rows != null) {
                if (!wanted.isEmpty()) {
                  rows.removeIf(row -> !isWanted(row));
                }
                return Deferred.fromResult(rows);
              }
              scanning = null;
              return produce();
            });
  }
}
