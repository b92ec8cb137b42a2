package net.opentsdb.uid;

import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Limits how fast points create the UIDs of one kind, and up to what share of all there are.
 *
 * <p>{@value #RATE} UIDs a second on average, {@value #BURST_SECONDS} times as many at once after a
 * quiet time; 0 is no limit. From {@value #SHARE} percent of the highest UID on, no more are
 * created, except by tools. One instance for each kind, any thread.
 */
@NullMarked
public final class UidCreation {
  static final String RATE = "tsd.core.uid.create_rate";
  static final String SHARE = "tsd.core.uid.create_percent";
  static final int RATE_DEFAULT = 100;
  static final int SHARE_DEFAULT = 90;
  static final int BURST_SECONDS = 1000;

  private double available = Double.NaN;
  private long filledNanos;
  private long highest;
  private int width = 8;

  UidCreation() {}

  /** Sets the limits of a TSD that has none in its configuration; its tools have no limit. */
  public static void setDefaults(Config config) {
    if (!config.hasProperty(RATE)) {
      config.overrideConfig(RATE, Integer.toString(RATE_DEFAULT));
    }
    if (!config.hasProperty(SHARE)) {
      config.overrideConfig(SHARE, Integer.toString(SHARE_DEFAULT));
    }
  }

  /** Learns of a UID that was created. */
  synchronized void created(long uid, int widthBytes) {
    highest = Math.max(highest, uid);
    width = widthBytes;
  }

  /**
   * To be called before a UID is created.
   *
   * @param tsdb whose configuration has the limits; null for none
   * @throws FailedToAssignUniqueIdException if none may be created now
   */
  void check(@Nullable TSDB tsdb, String kind, String name) {
    if (tsdb != null) {
      Config config = tsdb.getConfig();
      check(number(config, RATE, 0), number(config, SHARE, 100), System.nanoTime(), kind, name);
    }
  }

  private static int number(Config config, String setting, int otherwise) {
    return config.hasProperty(setting) ? config.getInt(setting) : otherwise;
  }

  /**
   * @param rate UIDs a second
   * @param percent of all UIDs
   * @param nowNanos of a clock that never goes back
   */
  synchronized void check(int rate, int percent, long nowNanos, String kind, String name) {
    double all = Math.pow(256, width);
    if (highest > all / 100 * percent) {
      throw new FailedToAssignUniqueIdException(
          kind, name, 0, "More than " + percent + " % of all UIDs are used (" + SHARE + ")");
    }
    if (rate <= 0) {
      return;
    }
    double full = (double) rate * BURST_SECONDS;
    available =
        Double.isNaN(available)
            ? full
            : Math.min(full, available + (nowNanos - filledNanos) / 1e9 * rate);
    filledNanos = nowNanos;
    if (available < 1) {
      throw new FailedToAssignUniqueIdException(
          kind, name, 0, "More than " + rate + " new names a second (" + RATE + "); send it later");
    }
    available--;
  }
}
