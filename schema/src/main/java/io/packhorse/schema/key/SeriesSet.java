package io.packhorse.schema.key;

import io.packhorse.schema.uid.UidWidths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A set of series of one metric, in sorted arrays: a series takes as many bytes as its tag values.
 * Immutable.
 */
public final class SeriesSet {
  /** No series. */
  public static final SeriesSet EMPTY = new SeriesSet(new TreeMap<>(Arrays::compareUnsigned));

  /** By tag keys; of each the larger arrays come first, and each is twice as long as the next. */
  private final SortedMap<byte[], List<SeriesGroup>> groups;

  private SeriesSet(SortedMap<byte[], List<SeriesGroup>> groups) {
    this.groups = groups;
  }

  /** Series of one metric, each once. */
  public static SeriesSet of(UidWidths widths, Collection<Tsuid> series) {
    TreeMap<byte[], List<byte[]>> byKeys = new TreeMap<>(Arrays::compareUnsigned);
    for (Tsuid each : series) {
      byte[][] tags = tags(widths, each);
      byKeys.computeIfAbsent(tags[0], k -> new ArrayList<>()).add(tags[1]);
    }
    TreeMap<byte[], List<SeriesGroup>> groups = new TreeMap<>(Arrays::compareUnsigned);
    byKeys.forEach((keys, values) -> groups.put(keys, List.of(group(keys, values))));
    return new SeriesSet(groups);
  }

  private static SeriesGroup group(byte[] keys, List<byte[]> all) {
    all.sort(Arrays::compareUnsigned);
    int stride = all.get(0).length;
    byte[] values = new byte[all.size() * stride];
    int to = 0;
    for (byte[] each : all) {
      if (to == 0 || !Arrays.equals(values, to - stride, to, each, 0, stride)) {
        System.arraycopy(each, 0, values, to, stride);
        to += stride;
      }
    }
    return new SeriesGroup(keys, Arrays.copyOf(values, to), to / stride);
  }

  /** The tagk UIDs and the tagv UIDs of a series. */
  private static byte[][] tags(UidWidths widths, Tsuid series) {
    int pair = widths.tagk() + widths.tagv();
    int tags = (series.length() - widths.metric()) / pair;
    byte[] keys = new byte[tags * widths.tagk()];
    byte[] values = new byte[tags * widths.tagv()];
    for (int tag = 0; tag < tags; tag++) {
      int at = widths.metric() + tag * pair;
      series.copy(at, widths.tagk(), keys, tag * widths.tagk());
      series.copy(at + widths.tagk(), widths.tagv(), values, tag * widths.tagv());
    }
    return new byte[][] {keys, values};
  }

  /** Whether a series of the metric is in the set. */
  public boolean contains(UidWidths widths, Tsuid series) {
    byte[][] tags = tags(widths, series);
    return groups.getOrDefault(tags[0], List.of()).stream().anyMatch(g -> g.contains(tags[1]));
  }

  /** The series of this set and of a block. */
  public SeriesSet with(SeriesBlock block) {
    TreeMap<byte[], List<SeriesGroup>> all = new TreeMap<>(groups);
    for (SeriesGroup group : block.groups()) {
      all.merge(group.tagKeys(), List.of(group), (old, added) -> added(old, added.get(0)));
    }
    return new SeriesSet(all);
  }

  private static List<SeriesGroup> added(List<SeriesGroup> old, SeriesGroup group) {
    List<SeriesGroup> all = new ArrayList<>(old);
    SeriesGroup last = group;
    while (!all.isEmpty() && all.get(all.size() - 1).series() < 2 * last.series()) {
      last = all.remove(all.size() - 1).with(last);
    }
    all.add(last);
    return List.copyOf(all);
  }

  /** The series in groups of equal tag keys; a series may be in two of them. */
  public List<SeriesGroup> groups() {
    return groups.values().stream().flatMap(List::stream).toList();
  }

  /** The series in blocks of a limited size. */
  public List<SeriesBlock> blocks() {
    List<SeriesBlock> blocks = new ArrayList<>();
    List<SeriesGroup> open = new ArrayList<>();
    int size = 0;
    for (Map.Entry<byte[], List<SeriesGroup>> each : groups.entrySet()) {
      SeriesGroup group = each.getValue().stream().reduce(SeriesGroup::with).orElseThrow();
      for (int from = 0; from < group.series(); ) {
        int to = Math.min(group.series(), from + SeriesBlock.SERIES_MAX - size);
        open.add(from == 0 && to == group.series() ? group : group.part(from, to));
        size += to - from;
        from = to;
        if (size == SeriesBlock.SERIES_MAX) {
          blocks.add(new SeriesBlock(List.copyOf(open)));
          open.clear();
          size = 0;
        }
      }
    }
    if (size > 0) {
      blocks.add(new SeriesBlock(List.copyOf(open)));
    }
    return blocks;
  }

  /** Number of series; one that came in several blocks may count several times. */
  public long series() {
    return groups.values().stream().flatMap(List::stream).mapToLong(SeriesGroup::series).sum();
  }

  /** Memory of the arrays, in bytes. */
  public long bytes() {
    return groups.values().stream()
        .flatMap(List::stream)
        .mapToLong(group -> group.tagKeys().length + group.tagValues().length)
        .sum();
  }
}
