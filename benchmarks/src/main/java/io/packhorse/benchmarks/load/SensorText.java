package io.packhorse.benchmarks.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * OpenTSDB import lines in the order of their times, one tag a series.
 *
 * @param name of the metric
 * @param series number of them
 * @param intervalS seconds between points
 * @param steps points of each series
 * @param values what they measure
 */
record SensorText(String name, int series, int intervalS, int steps, Values values)
    implements PointText {
  private static final int SAMPLED_SERIES = 3;
  private static final int SAMPLED_STEPS = 60;
  private static final int WALK_START_MAX = 4_000;
  private static final int WALK_STEP_MAX = 10;

  /** What the series measure. */
  enum Values {
    /** Integers, each of 0 to 999 equally likely. */
    UNIFORM,
    /** A walk with one decimal, steps from -1.0 to 1.0 equally likely. */
    WALK
  }

  @Override
  public String unit() {
    return "points";
  }

  @Override
  public long rows() {
    return points();
  }

  @Override
  public long points() {
    return (long) series * steps;
  }

  @Override
  public void write(Path file, int run) throws IOException {
    byte[] metric = LineFile.ascii(metric(run) + " ");
    byte[][] tags = new byte[series][];
    long[] values = new long[series];
    for (int i = 0; i < series; i++) {
      tags[i] = LineFile.ascii(" sensor=" + sensor(i));
      values[i] = start(i);
    }
    try (LineFile lines = new LineFile(file)) {
      for (int step = 0; step < steps; step++) {
        byte[] time = LineFile.ascii(timeS(step) + " ");
        for (int i = 0; i < series; i++) {
          values[i] = next(i, step, values[i]);
          lines.text(metric).text(time);
          (values() == Values.WALK ? lines.tenths(values[i]) : lines.number(values[i]))
              .text(tags[i])
              .end();
        }
      }
    }
  }

  private String metric(int run) {
    return "bench." + name + ".r" + run;
  }

  private static String sensor(int number) {
    return String.format("s%05d", number);
  }

  private long timeS(int step) {
    return START_S + (long) step * intervalS;
  }

  private long start(int number) {
    return values == Values.WALK ? Draw.below(WALK_START_MAX, number, -1) : 0;
  }

  /** The value of a step, in tenths if it has decimals, after that of the step before. */
  private long next(int number, int step, long before) {
    return values == Values.WALK
        ? before + Draw.below(2 * WALK_STEP_MAX + 1, number, step) - WALK_STEP_MAX
        : Draw.below(1000, number, step);
  }

  @Override
  public List<String> options() {
    return List.of();
  }

  @Override
  public List<KnownSeries> samples(int run) {
    List<KnownSeries> samples = new java.util.ArrayList<>();
    for (int i = 0; i < SAMPLED_SERIES; i++) {
      int number = (int) ((long) i * (series - 1) / (SAMPLED_SERIES - 1));
      SortedMap<Long, Double> points = new TreeMap<>();
      long value = start(number);
      for (int step = 0; step < steps; step++) {
        value = next(number, step, value);
        if (step >= steps - SAMPLED_STEPS) {
          points.put(timeS(step), values == Values.WALK ? value / 10.0 : value);
        }
      }
      samples.add(new KnownSeries(metric(run) + "{sensor=" + sensor(number) + "}", points));
    }
    return samples;
  }

  /** As many series, or fewer of them for a while at least. */
  @Override
  public PointText sample(long pointsMax) {
    int fewer = (int) Math.min(series, Math.max(1, pointsMax / Math.min(steps, 2 * SAMPLED_STEPS)));
    return new SensorText(name, fewer, intervalS, (int) Math.min(steps, pointsMax / fewer), values);
  }

  @Override
  public TsFilePeer.Form form() {
    return values == Values.WALK ? TsFilePeer.Form.DECIMALS : TsFilePeer.Form.INTEGERS;
  }

  @Override
  public int readEvery() {
    return 1;
  }

  @Override
  public long readPoints() {
    return points();
  }

  @Override
  public double readSum() {
    long sum = 0;
    for (int i = 0; i < series; i++) {
      long value = start(i);
      for (int step = 0; step < steps; step++) {
        value = next(i, step, value);
        sum += value;
      }
    }
    return values == Values.WALK ? sum / 10.0 : sum;
  }
}
