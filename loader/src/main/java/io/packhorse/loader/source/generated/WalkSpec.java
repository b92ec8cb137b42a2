package io.packhorse.loader.source.generated;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.key.BaseTime;

/**
 * A reference workload in full: what is generated, and therefore what a read-back must find.
 *
 * @param metric metric of every series
 * @param sensors number of series, each with the tag {@code sensor=s000}, {@code s001}, ...
 * @param intervalMs milliseconds between points, a divisor of one hour
 * @param startSeconds first point, epoch seconds, on a full hour
 * @param points points of each series, at least 1, of all together at most 2^63 - 1; the last one
 *     lies before 2106, where the 32 bits of a row's base time end
 * @param seed of the walk
 * @param firstSensor number of the first sensor
 * @param step from one sensor's number to the next, 1 unless it is a part of a workload
 */
public record WalkSpec(
    String metric,
    int sensors,
    int intervalMs,
    long startSeconds,
    long points,
    long seed,
    int firstSensor,
    int step)
    implements GeneratedPoints {
  private static final long LAST_SECONDS = 0xffff_ffffL;

  public WalkSpec {
    if (sensors < 1 || intervalMs < 1 || BaseTime.HOUR_MS % intervalMs != 0 || points < 1) {
      throw new IllegalArgumentException(
          "workload needs a sensor, a point and an interval that divides the hour: sensors="
              + sensors
              + ", intervalMs="
              + intervalMs
              + ", points="
              + points);
    }
    if (points > Long.MAX_VALUE / sensors) {
      throw new IllegalArgumentException(
          "workload has more points than can be counted: sensors="
              + sensors
              + ", points="
              + points);
    }
    if (startSeconds < 0 || startSeconds % BaseTime.HOUR_SECONDS != 0) {
      throw new IllegalArgumentException(
          "workload must start on a full hour: startSeconds=" + startSeconds);
    }
    if (startSeconds > LAST_SECONDS
        || points - 1 > ((LAST_SECONDS - startSeconds) * 1000 + 999) / intervalMs) {
      throw new IllegalArgumentException(
          "workload must end before 2106-02-07T06:28:16Z: startSeconds="
              + startSeconds
              + ", intervalMs="
              + intervalMs
              + ", points="
              + points);
    }
  }

  /** A workload of sensors {@code s000}, {@code s001}, ... */
  public WalkSpec(
      String metric, int sensors, int intervalMs, long startSeconds, long points, long seed) {
    this(metric, sensors, intervalMs, startSeconds, points, seed, 0, 1);
  }

  /**
   * Every {@code count}-th sensor of this workload.
   *
   * @param number of the first one, from 1 on
   * @throws IllegalArgumentException if there are fewer sensors than {@code count}
   */
  public WalkSpec part(int number, int count) {
    if (count > sensors) {
      throw new IllegalArgumentException(
          "workload needs a sensor for each part: sensors=" + sensors + ", parts=" + count);
    }
    int own = (sensors - number) / count + 1;
    return new WalkSpec(
        metric,
        own,
        intervalMs,
        startSeconds,
        points,
        seed,
        firstSensor + (number - 1) * step,
        step * count);
  }

  @Override
  public int seriesCount() {
    return sensors;
  }

  @Override
  public SeriesName seriesName(int series) {
    return SeriesName.of(metric, "sensor", sensorName(sensor(series)));
  }

  private int sensor(int series) {
    return firstSensor + series * step;
  }

  /** Tag value of a sensor: at least three digits. */
  public static String sensorName(int sensor) {
    return sensor < 1000 ? String.format("s%03d", sensor) : "s" + sensor;
  }

  @Override
  public void fill(int series, int hour, PointBatch batch) {
    batch.clear();
    int count = values(series, hour, batch.bits(), 0);
    long base = baseSeconds(hour) * 1000;
    long[] timestamps = batch.timestampsMs();
    for (int i = 0; i < count; i++) {
      timestamps[i] = base + (long) i * intervalMs;
    }
    batch.advance(series, count);
  }

  /**
   * Computes the values of one hour.
   *
   * @param values receives {@link #pointsInHour} values at {@code from}
   * @return number of values
   */
  public int values(int series, int hour, long[] values, int from) {
    int count = pointsInHour(hour);
    new ReferenceWalk(seed)
        .hour(sensor(series), baseSeconds(hour) / BaseTime.HOUR_SECONDS, count, values, from);
    return count;
  }
}
