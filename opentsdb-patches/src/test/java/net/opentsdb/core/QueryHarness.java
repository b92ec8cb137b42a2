package net.opentsdb.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
            start,
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

  private List<Span> spans(Map<String, Object> query, DownsamplingSpecification downsampler) {
    @SuppressWarnings("unchecked")
    List<List<Object[]>> rows = (List<List<Object[]>>) query.get("rows");
    boolean keepRows = query.get("keepRows") != null;
    Map<String, Span> spans = new LinkedHashMap<>(new TreeMap<>());
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
      if (patched && !keepRows) {
        compacted = Patched.reduce(compacted, downsampler);
      }
      if (compacted != null) {
        byte[] key = compacted.key();
        String series = Arrays.toString(Arrays.copyOfRange(key, 7, key.length));
        spans.computeIfAbsent(series, name -> new Span(tsdb)).addRow(compacted);
      }
    }
    return new ArrayList<>(spans.values());
  }

  /** Loaded where the patched classes are. */
  private static final class Patched {
    static KeyValue reduce(KeyValue row, DownsamplingSpecification downsampler) {
      return RowReduction.of(downsampler, false).reduce(row);
    }
  }
}
