package io.packhorse.loader.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The samples of a load, at most 600 however long it takes: when there are more, pairs are merged.
 * Any number of threads.
 */
public final class Samples {
  static final int COUNT_MAX = 600;

  /** The current speed is the mean of so many seconds. */
  private static final double WINDOW_SECONDS = 30;

  private final List<Sample> samples = new ArrayList<>();
  private int step = 1;
  private int taken;

  /** Adds a sample, which is later than all before. */
  public synchronized void add(Sample sample) {
    boolean whole = taken++ % step == 0;
    int last = samples.size() - 1;
    if (whole || last < 1) {
      samples.add(sample);
    } else {
      samples.set(last, sample.mergedWith(samples.get(last)));
    }
    if (samples.size() > COUNT_MAX) {
      thin();
    }
  }

  /** Keeps the first sample and merges all others in pairs. */
  private void thin() {
    List<Sample> kept = new ArrayList<>(samples.subList(0, 1));
    for (int i = 2; i < samples.size(); i += 2) {
      kept.add(samples.get(i).mergedWith(samples.get(i - 1)));
    }
    if (samples.size() % 2 == 0) {
      kept.add(samples.get(samples.size() - 1));
    }
    samples.clear();
    samples.addAll(kept);
    step *= 2;
  }

  /** All samples; a copy. */
  public synchronized List<Sample> all() {
    return List.copyOf(samples);
  }

  /**
   * Seconds until the whole input is loaded, at the speed of the last half minute.
   *
   * @return empty if that is unknown, no point was loaded meanwhile, or all of it is loaded
   */
  public synchronized OptionalDouble secondsLeft() {
    if (samples.size() < 2) {
      return OptionalDouble.empty();
    }
    Sample now = samples.get(samples.size() - 1);
    int from = samples.size() - 2;
    while (from > 0 && now.seconds() - samples.get(from).seconds() < WINDOW_SECONDS) {
      from--;
    }
    Sample then = samples.get(from);
    double gained = now.share() - then.share();
    // Rejected lines count as done, too, but say nothing about the store.
    boolean stuck = gained <= 0 || now.points() == then.points();
    return now.share() < 0 || now.share() >= 1 || stuck
        ? OptionalDouble.empty()
        : OptionalDouble.of((1 - now.share()) * (now.seconds() - then.seconds()) / gained);
  }
}
