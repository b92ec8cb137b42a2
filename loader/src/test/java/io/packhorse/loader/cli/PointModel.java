package io.packhorse.loader.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a store holds, point by point in memory, and what OpenTSDB answers over it, by force.
 * Written from the words of {@code docs/format.md} (which point wins) and of OpenTSDB's
 * documentation (functions, intervals); nothing is shared with loader or TSD.
 */
final class PointModel {
  /** By host and time: what was written, the last being the point that counts. */
  private final SortedMap<Integer, SortedMap<Long, List<Version>>> series = new TreeMap<>();

  /** A point that was stored. */
  record Written(int host, long seconds, double value) {}

  private record Version(String job, double value) {}

  /** How series of a group become one. None of these interpolates. */
  enum Aggregator {
    NONE("none"),
    MAX("mimmax"),
    MIN("mimmin"),
    SUM("zimsum");

    private final String id;

    Aggregator(String id) {
      this.id = id;
    }

    String id() {
      return id;
    }
  }

  /** What is made of an interval's values. */
  enum Function {
    SUM,
    AVG,
    MIN,
    MAX,
    COUNT,
    FIRST,
    LAST,
    DIFF,
    MEDIAN;

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    double of(List<Double> values) {
      double first = values.get(0);
      double last = values.get(values.size() - 1);
      return switch (this) {
        case SUM -> values.stream().mapToDouble(value -> value).sum();
        case AVG -> values.stream().mapToDouble(value -> value).sum() / values.size();
        case MIN -> values.stream().mapToDouble(value -> value).min().orElseThrow();
        case MAX -> values.stream().mapToDouble(value -> value).max().orElseThrow();
        case COUNT -> values.size();
        case FIRST -> first;
        case LAST -> last;
        case DIFF -> values.size() > 1 ? last - first : 0;
        // OpenTSDB takes the upper one of two.
        case MEDIAN -> values.stream().sorted().toList().get(values.size() / 2);
      };
    }
  }

  /** Which series become one. */
  enum Grouping {
    ALL(""),
    HOST("host"),
    DC("dc");

    private final String tag;

    Grouping(String tag) {
      this.tag = tag;
    }

    String tag() {
      return tag;
    }
  }

  /**
   * A query.
   *
   * @param startS first second
   * @param endS last second
   * @param interval of the downsampling in seconds; 0 for none, -1 for one over all
   * @param above only values above this are asked for; -1 for all values
   */
  record Question(
      long startS,
      long endS,
      Aggregator aggregator,
      int interval,
      Function function,
      List<Integer> hosts,
      Grouping grouping,
      int above) {
    /** The tag that tells the series of the answer apart; empty if there is only one. */
    String tag() {
      return aggregator == Aggregator.NONE ? "host" : grouping.tag();
    }
  }

  /** The data centre of a host. */
  static int dc(int host) {
    return host % 3;
  }

  /** Stores points over all others; a job that can be rolled back, or empty for live points. */
  void write(String job, List<Written> points) {
    for (Written point : points) {
      series
          .computeIfAbsent(point.host(), host -> new TreeMap<>())
          .computeIfAbsent(point.seconds(), time -> new ArrayList<>())
          .add(new Version(job, point.value()));
    }
  }

  /** Times of a series' points. */
  List<Long> times(int host) {
    return List.copyOf(series.getOrDefault(host, new TreeMap<>()).keySet());
  }

  /** Deletes all that was ever written from one time (inclusive) to another (exclusive). */
  void delete(int host, long fromS, long toS) {
    if (series.containsKey(host)) {
      series.get(host).subMap(fromS, toS).clear();
    }
  }

  /** Deletes what a job wrote. */
  void rollBack(String job) {
    for (SortedMap<Long, List<Version>> points : series.values()) {
      points.values().forEach(versions -> versions.removeIf(version -> version.job().equals(job)));
      points.values().removeIf(List::isEmpty);
    }
  }

  /** Points by the tag that tells series apart, and by time in seconds. */
  SortedMap<String, SortedMap<Long, Double>> answer(Question question) {
    SortedMap<String, SortedMap<Long, List<Double>>> groups = new TreeMap<>();
    for (int host : question.hosts()) {
      String group =
          switch (question.tag()) {
            case "" -> "";
            case "dc" -> "d" + dc(host);
            default -> "h" + host;
          };
      reduced(host, question)
          .forEach(
              (time, value) ->
                  groups
                      .computeIfAbsent(group, name -> new TreeMap<>())
                      .computeIfAbsent(time, at -> new ArrayList<>())
                      .add(value));
    }
    SortedMap<String, SortedMap<Long, Double>> answer = new TreeMap<>();
    groups.forEach(
        (group, points) -> {
          SortedMap<Long, Double> joined = new TreeMap<>();
          points.forEach((time, values) -> joined.put(time, join(question.aggregator(), values)));
          answer.put(group, joined);
        });
    return answer;
  }

  private static double join(Aggregator aggregator, List<Double> values) {
    return switch (aggregator) {
      case NONE -> values.get(0);
      case MAX -> Function.MAX.of(values);
      case MIN -> Function.MIN.of(values);
      case SUM -> Function.SUM.of(values);
    };
  }

  /** One series, filtered and downsampled. */
  private SortedMap<Long, Double> reduced(int host, Question question) {
    SortedMap<Long, List<Double>> intervals = new TreeMap<>();
    long interval = question.interval();
    series
        .getOrDefault(host, new TreeMap<>())
        .forEach(
            (time, versions) -> {
              double value = versions.get(versions.size() - 1).value();
              // An interval that begins before the query is left out, the last one is whole.
              long at =
                  interval > 0 ? time - time % interval : interval < 0 ? question.startS() : time;
              boolean in =
                  interval > 0
                      ? at >= question.startS() && at <= question.endS()
                      : time >= question.startS() && time <= question.endS();
              if (in && value > question.above()) {
                intervals.computeIfAbsent(at, of -> new ArrayList<>()).add(value);
              }
            });
    SortedMap<Long, Double> reduced = new TreeMap<>();
    intervals.forEach(
        (time, values) ->
            reduced.put(time, interval == 0 ? values.get(0) : question.function().of(values)));
    return reduced;
  }
}
