package net.opentsdb.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.opentsdb.utils.DateTime;
import org.hbase.async.KeyValue;

/**
 * A query from cells to points, by the classes of the loader that it was loaded with: the patched
 * ones or the published ones. In and out go classes of the JDK alone.
 *
 * <p>In: {@code rows}, a list of rows in the order of their arrival, each a list of cells as {@code
 * {key, family, qualifier, cell timestamp, value}}; {@code start}, {@code end} in ms; {@code
 * aggregator}; and if wanted {@code downsample}, {@code timezone}, {@code rate} (counter, drop
 * resets, reset value, maximum), {@code keepRows}. Out: a line a point, then {@code size} and
 * {@code aggregated size}; or the class of the exception.
 */
public final class QueryHarness implements Function<Map<String, Object>, List<String>> {
  private final TSDB tsdb = OfflineTsdb.create();
  private final boolean patched;

  public QueryHarness() {
    patched = getClass().getResource("RowReduction.class") != null;
  }

  /** Whether the patched classes answer. */
  public boolean isPatched() {
    return patched;
  }

  @Override
  public List<String> apply(Map<String, Object> query) {
    List<String> lines = new ArrayList<>();
    try {
      answer(query, lines);
    } catch (RuntimeException | AssertionError e) {
      lines.add(e.getClass().getName());
    }
    return lines;
  }

  private void answer(Map<String, Object> query, List<String> lines) {
    long start = (Long) query.get("start");
    long end = (Long) query.get("end");
    DownsamplingSpecification downsampler = DownsamplingSpecification.NO_DOWNSAMPLER;
    if (query.get("downsample") != null) {
      downsampler = new DownsamplingSpecification((String) query.get("downsample"));
      if (query.get("timezone") != null) {
        downsampler.setUseCalendar(true);
        downsampler.setTimezone(DateTime.timezones.get((String) query.get("timezone")));
      }
    }
    long[] rate = (long[]) query.get("rate");
    RateOptions options = new RateOptions();
    if (rate != null) {
      options.setIsCounter(rate[0] != 0);
      options.setDropResets(rate[1] != 0);
      options.setResetValue(rate[2]);
      options.setCounterMax(rate[3]);
    }
    Aggregator aggregator = Aggregators.get((String) query.get("aggregator"));
    List<Span> spans = spans(query, downsampler);
    SpanGroup group =
        new SpanGroup(
            tsdb,
            scanStart(start, downsampler),
            end,
            spans,
            rate != null,
            options,
            aggregator,
            downsampler,
            start,
            end,
            0,
            null,
            new byte[0]);
    for (DataPoint point : group) {
      lines.add(
          point.timestamp()
              + (point.isInteger()
                  ? " " + point.longValue()
                  : " double "
                      + Double.doubleToLongBits(point.doubleValue())
                      + " "
                      + point.doubleValue()));
    }
    lines.add("spans " + group.getSpans().size());
    lines.add("aggregated size " + group.aggregatedSize());
  }

  /** Where {@link TsdbQuery} begins to read, and what it gives to a group as its start. */
  private static long scanStart(long startMs, DownsamplingSpecification downsampler) {
    long seconds = startMs / 1000;
    if (downsampler.getInterval() > 0) {
      seconds -= 1000 * seconds % downsampler.getInterval() / 1000;
    }
    return 1000 * (seconds - seconds % Const.MAX_TIMESPAN);
  }

  private List<Span> spans(Map<String, Object> query, DownsamplingSpecification downsampler) {
    @SuppressWarnings("unchecked")
    List<List<Object[]>> rows = (List<List<Object[]>>) query.get("rows");
    boolean keepRows = query.get("keepRows") != null;
    List<KeyValue> all = new ArrayList<>();
    // Series stay in the order of their first rows: functions such as first depend on it.
    Map<String, Span> spans = new LinkedHashMap<>();
    for (List<Object[]> row : rows) {
      ArrayList<KeyValue> cells = new ArrayList<>();
      for (Object[] cell : row) {
        cells.add(
            new KeyValue(
                (byte[]) cell[0],
                (byte[]) cell[1],
                (byte[]) cell[2],
                (Long) cell[3],
                (byte[]) cell[4]));
      }
      KeyValue compacted = tsdb.compact(cells, new ArrayList<>(), new ArrayList<>());
      if (compacted != null) {
        all.add(compacted);
        spans.put(series(compacted), new Span(tsdb));
      }
    }
    if (patched && !keepRows) {
      all = Patched.reduce(all, downsampler, (Long) query.get("start"), (Long) query.get("end"));
    }
    for (KeyValue row : all) {
      spans.get(series(row)).addRow(row);
    }
    return new ArrayList<>(spans.values());
  }

  private static String series(KeyValue row) {
    return Arrays.toString(Arrays.copyOfRange(row.key(), 7, row.key().length));
  }

  /** Loaded where the patched classes are. */
  private static final class Patched {
    private static final int BATCH = 5;

    /** Rows as a scanner leaves them. */
    static List<KeyValue> reduce(
        List<KeyValue> all, DownsamplingSpecification downsampler, long start, long end) {
      RowReduction reduction = RowReduction.of(null, downsampler, false, start, end);
      QueryMemory.Rows rows = QueryMemory.rows(null);
      SeriesFolds folds = reduction.folds(rows);
      try {
        for (int i = 0; i < all.size(); i++) {
          rows.add(reduction.reduce(all.get(i)));
          if (i % BATCH == 0) {
            folds.foldBatch();
          }
        }
        folds.finish();
      } catch (NotReducibleException e) {
        return all;
      }
      return rows;
    }
  }
}
