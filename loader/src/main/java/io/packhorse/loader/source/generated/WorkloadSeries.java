package io.packhorse.loader.source.generated;

import io.packhorse.loader.point.SeriesName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The series of a workload, numbered: the metrics of the first combination of tag values, then
 * those of the next one; the last tag key changes fastest. So what one device has comes together.
 * The values of tag {@code site} are {@code site0}, {@code site1} and so on. Immutable; any number
 * of threads.
 *
 * @param metrics at least one
 * @param tags at least one
 * @param ofMetric series of each metric: the first ones of the combinations of tag values
 */
public record WorkloadSeries(List<String> metrics, List<Tag> tags, int ofMetric) {
  /** The largest number of series. */
  public static final int SERIES_MAX = 100_000_000;

  private static final int SHARED_MAX = 1000;

  /**
   * A tag key.
   *
   * @param values how many values it has, at least 1
   */
  public record Tag(String key, int values) {
    public Tag {
      if (values < 1) {
        throw new IllegalArgumentException("tags: " + key + " must have 1 or more values");
      }
    }
  }

  public WorkloadSeries {
    metrics = List.copyOf(metrics);
    tags = List.copyOf(tags);
    if (metrics.isEmpty() || tags.isEmpty()) {
      throw new IllegalArgumentException(
          "metrics and tags must name one or more: OpenTSDB needs a tag");
    }
    if ((long) ofMetric * metrics.size() > SERIES_MAX) {
      throw new IllegalArgumentException("tags make more than " + SERIES_MAX + " series");
    }
  }

  /** Every combination. */
  public WorkloadSeries(List<String> metrics, List<Tag> tags) {
    this(metrics, tags, combinations(tags));
  }

  private static int combinations(List<Tag> tags) {
    long all = 1;
    for (Tag tag : tags) {
      all *= tag.values();
      if (all > SERIES_MAX) {
        throw new IllegalArgumentException("tags make more than " + SERIES_MAX + " series");
      }
    }
    return (int) all;
  }

  /**
   * More or fewer of the same series: the first tag gets more values, or the last of its values
   * fewer series. A series keeps its values.
   *
   * @param factor of the number of series; each metric keeps at least one
   */
  public WorkloadSeries times(double factor) {
    long wanted = Math.max(1, Math.round(combinations(tags) * factor));
    int ofFirst = combinations(tags) / tags.get(0).values();
    List<Tag> more = new ArrayList<>(tags);
    more.set(0, new Tag(tags.get(0).key(), (int) Math.min(SERIES_MAX, 1 + (wanted - 1) / ofFirst)));
    return new WorkloadSeries(metrics, more, (int) Math.min(SERIES_MAX, wanted));
  }

  /** Series of all metrics. */
  public int count() {
    return ofMetric * metrics.size();
  }

  /** Index of a series' metric. */
  public int metricIndex(int series) {
    return series % metrics.size();
  }

  /** Number of a series among those of its metric: its combination of tag values. */
  public int number(int series) {
    return series / metrics.size();
  }

  /** Metric of a series. */
  public String metric(int series) {
    return metrics.get(metricIndex(series));
  }

  /** Tags of a series. */
  public SortedMap<String, String> tags(int series) {
    SortedMap<String, String> named = new TreeMap<>();
    int rest = number(series);
    for (int i = tags.size() - 1; i >= 0; i--) {
      Tag tag = tags.get(i);
      String value = tag.key() + rest % tag.values();
      // Millions of series share such a value.
      named.put(tag.key(), tag.values() <= SHARED_MAX ? value.intern() : value);
      rest /= tag.values();
    }
    return named;
  }

  /** Name of a series. */
  public SeriesName name(int series) {
    return new SeriesName(metric(series), tags(series));
  }

  /** How many values a tag key has; 1 for one that is unknown. */
  public int values(String key) {
    return tags.stream().filter(tag -> tag.key().equals(key)).mapToInt(Tag::values).sum();
  }

  /**
   * Series of a metric that have some tags, in rising order.
   *
   * @param metric its index
   */
  public List<Integer> matching(int metric, Map<String, String> where) {
    List<Integer> numbers = List.of(0);
    for (Tag tag : tags) {
      int wanted = where.containsKey(tag.key()) ? value(tag, where.get(tag.key())) : -1;
      List<Integer> longer = new ArrayList<>();
      for (int number : numbers) {
        for (int value = 0; value < tag.values(); value++) {
          if (!where.containsKey(tag.key()) || value == wanted) {
            longer.add(number * tag.values() + value);
          }
        }
      }
      numbers = longer;
    }
    return numbers.stream()
        .filter(number -> number < ofMetric)
        .map(number -> number * metrics.size() + metric)
        .toList();
  }

  /** The series with exactly these tags, or -1. */
  public int of(int metric, Map<String, String> named) {
    int number = 0;
    for (Tag tag : tags) {
      int value = value(tag, named.getOrDefault(tag.key(), ""));
      if (named.size() != tags.size() || value < 0) {
        return -1;
      }
      number = number * tag.values() + value;
    }
    return number < ofMetric ? number * metrics.size() + metric : -1;
  }

  /** The number of a tag value, or -1. */
  private static int value(Tag tag, String named) {
    if (!named.startsWith(tag.key()) || !named.substring(tag.key().length()).matches("\\d{1,9}")) {
      return -1;
    }
    int value = Integer.parseInt(named.substring(tag.key().length()));
    return value < tag.values() ? value : -1;
  }
}
