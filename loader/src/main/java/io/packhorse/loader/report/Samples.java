package io.packhorse.loader.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The samples of a load, however long it takes: when there are too many, pairs become one. */
public final class Samples {
  static final int COUNT_MAX = 600;

  /** Time over which the speed of now is taken. */
  private static final double WINDOW_SECONDS = 30;

  private final List<Sample> samples = new ArrayList<>();
  private int step = 1;
  private int taken;

  /** Takes a sample; they come in the order of time. */
  public synchronized void add(Sample sample) {
    boolean whole = taken++ % step == 0;
    int last = samples.size() - 1;
    if (whole || last < 1) {
      samples.add(sample);
    } else {
      samples.set(last, sample.afterDropping(samples.get(last)));
    }
    if (samples.size() > COUNT_MAX) {
      thin();
    }
  }

  /** Keeps the first one, and one of each further two. */
  private void thin() {
    List<Sample> kept = new ArrayList<>(samples.subList(0, 1));
    for (int i = 2; i < samples.size(); i += 2) {
      kept.add(samples.get(i).afterDropping(samples.get(i - 1)));
    }
    if (samples.size() % 2 == 0) {
      kept.add(samples.get(samples.size() - 1));
    }
    samples.clear();
    samples.addAll(kept);
    step *= 2;
  }

  /** All that are kept; a copy. */
  public synchronized List<Sample> all() {
    return List.copyOf(samples);
  }

  /**
   * Seconds until the whole input is read, at the speed of the last half minute.
   *
   * @return empty if nobody knows
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
    return now.share() < 0 || gained <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((1 - now.share()) * (now.seconds() - then.seconds()) / gained);
  }
}
