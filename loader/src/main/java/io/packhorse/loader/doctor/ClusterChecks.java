package io.packhorse.loader.doctor;

import io.packhorse.loader.query.TsdState;
import io.packhorse.loader.table.FoundServer;
import java.util.Locale;
import java.util.OptionalLong;

/** Checks clocks and disk space. Stateless; any thread. */
public final class ClusterChecks {
  private static final String CLOCKS = "clocks";
  private static final String DISK = "disk";

  /** A clock ahead by more than this is wrong: reports arrive late, never early. */
  private static final long AHEAD_MS = 5_000;

  /** A clock behind by less than this may be right: region servers report every few seconds. */
  private static final long BEHIND_MS = 20_000;

  private ClusterChecks() {}

  /** Checks the clock of a region server, which timestamps cells. */
  public static Finding clock(FoundServer server) {
    return clock(server.name(), server.clockMs() - server.askedMs());
  }

  /** Checks the clock of a TSD, which queries relative to now use. */
  public static Finding clock(TsdState tsd) {
    return clock(tsd.url().toString(), tsd.clockMs() - tsd.askedMs());
  }

  private static Finding clock(String where, long aheadMs) {
    boolean ahead = aheadMs > AHEAD_MS;
    return ahead || aheadMs < -BEHIND_MS
        ? Finding.warn(
            CLOCKS,
            where,
            String.format(
                Locale.ROOT,
                "%.0f s %s this machine",
                Math.abs(aheadMs) / 1e3,
                ahead ? "ahead of" : "behind"),
            "synchronize the clocks (NTP): of equal points the one with the later timestamp wins,"
                + " and these clocks make the timestamps")
        : Finding.ok(CLOCKS, where, "agrees with this machine");
  }

  /**
   * Checks the timestamp of the last loader id: points of a load win over equal points of loads
   * with an earlier one.
   *
   * @param lastStampMs empty if nothing was loaded yet
   */
  public static Finding stamps(String table, OptionalLong lastStampMs, long nowMs) {
    String check = "stamps";
    if (lastStampMs.isEmpty()) {
      return Finding.ok(check, table, "nothing was loaded yet");
    }
    long aheadMs = lastStampMs.getAsLong() - nowMs;
    return aheadMs > AHEAD_MS
        ? Finding.fail(
            check,
            table,
            String.format(
                Locale.ROOT,
                "the timestamps of the last load are %.0f s in the future, by a server's clock",
                aheadMs / 1e3),
            "correct the clocks and wait that long: until then, equal points of that load win over"
                + " those of new loads")
        : Finding.ok(check, table, "no load has timestamps in the future");
  }

  /**
   * Checks the free space of a disk or file system.
   *
   * @param what is stored there
   */
  public static Finding diskSpace(String what, String where, long freeBytes, long totalBytes) {
    double share = totalBytes > 0 ? (double) freeBytes / totalBytes : 0;
    String found =
        String.format(Locale.ROOT, "%s: %.1f GB free, %.0f %%", what, freeBytes / 1e9, 100 * share);
    if (share < 0.05 || freeBytes < 1_000_000_000L) {
      return Finding.fail(DISK, where, found, "free some space before you load");
    }
    return share < 0.2
        ? Finding.warn(
            DISK, where, found, "keep a fifth free for compactions and for the loss of a server")
        : Finding.ok(DISK, where, found);
  }
}
