package io.packhorse.benchmarks.load;

import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Generated points: the reference walk, a point a second.
 *
 * @param series number of them
 * @param hours of each
 */
record WalkWork(String name, int series, int hours) implements Work {
  private static final int HOUR = 3600;

  /** Of the devices of a TsFile, one in so many is read back. */
  private static final int READ_EVERY = 32;

  @Override
  public long points() {
    return (long) series * hours * HOUR;
  }

  @Override
  public Optional<Long> rows() {
    return Optional.empty();
  }

  @Override
  public void prepare(int run) {}

  @Override
  public List<String> command(int run) {
    return List.of(
        "loadtest",
        "fill",
        "--sensors",
        "" + series,
        "--span",
        hours + "h",
        "--metric",
        "bench.walk.r" + run);
  }

  @Override
  public void check(Store store, int run) throws IOException, InterruptedException {
    int last = series - 1;
    long[] values = new long[HOUR];
    long hour = PointText.START_S / HOUR + hours - 1;
    Walk.hour(last, hour, values);
    SortedMap<Long, Double> points = new TreeMap<>();
    for (int i = 0; i < HOUR; i++) {
      points.put(hour * HOUR + i, (double) values[i]);
    }
    SampleQuery.check(
        store,
        List.of(new KnownSeries(String.format("bench.walk.r%d{sensor=s%03d}", run, last), points)),
        0);
  }

  @Override
  public Peers.Result tsFile(int threads) throws IOException, InterruptedException {
    long[] values = new long[HOUR];
    long sum = 0;
    long count = 0;
    for (int number = 0; number < series; number += READ_EVERY) {
      for (int hour = 0; hour < hours; hour++) {
        Walk.hour(number, PointText.START_S / HOUR + hour, values);
        for (long value : values) {
          sum += value;
        }
        count += HOUR;
      }
    }
    return Peers.tsFile(
        List.of("walk", "" + series, "" + hours, "FOLDER", "" + threads),
        READ_EVERY,
        count,
        (double) sum);
  }

  @Override
  public PointText importSample(long pointsMax) {
    return new SensorText(
        "import", series, 1, (int) (pointsMax / series), SensorText.Values.UNIFORM);
  }
}
