package io.packhorse.loader.source.record;

/** The unit of an input's numeric timestamps, the same for all of them. */
public enum TimestampUnit {
  /** Seconds or milliseconds by OpenTSDB's rule: from 2^32 on they are milliseconds. */
  OPENTSDB("s or ms by OpenTSDB's rule", 0),
  SECONDS("s", 0),
  MILLISECONDS("ms", 3),
  MICROSECONDS("us", 6),
  NANOSECONDS("ns", 9);

  private final String shown;
  private final int power;

  TimestampUnit(String shown, int power) {
    this.shown = shown;
    this.power = power;
  }

  /** For people, and as an option. */
  @Override
  public String toString() {
    return shown;
  }

  /** How many of them make a second, as a power of ten. */
  int power() {
    return power;
  }
}
