package io.packhorse.loader.doctor;

import io.packhorse.loader.query.TsdState;
import io.packhorse.loader.table.FoundServer;
import java.util.Locale;
import java.util.OptionalLong;

/** Clocks, room and what is stored, against what a load needs. */
public final class ClusterChecks {
  private static final String CLOCKS = "clocks";
  private static final String DISK = "disk";

  /** Ahead of here by more than this is no matter of reports on their way. */
  private static final long AHEAD_MS = 5_000;

  /** A region server reports every few seconds, a TSD's clock is asked for in whole seconds. */
  private static final long BEHIND_MS = 20_000;

  private ClusterChecks() {}

  /** The clock of a region server, which stamps cells. */
  public static Finding clock(FoundServer server) {
    return clock(server.name(), server.clockMs() - server.askedMs());
  }

  /** The clock of a TSD, by which queries say what now is. */
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
            "set the clocks by NTP: of equal points the one loaded later counts, by these clocks")
        : Finding.ok(CLOCKS, where, "as here");
  }

  /**
   * The stamp of the last loader id, which every later one has to exceed to count.
   *
   * @param lastStampMs empty if there was no load yet
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
                "the last load was stamped %.0f s in the future, by a server's clock",
                aheadMs / 1e3),
            "set the clocks, and wait that long: until then points of new loads lose against equal"
                + " ones of that load")
        : Finding.ok(check, table, "no load is stamped in the future");
  }

  /**
   * Room on a disk or file system.
   *
   * @param what is kept there
   */
  public static Finding room(String what, String where, long freeBytes, long totalBytes) {
    double share = totalBytes > 0 ? (double) freeBytes / totalBytes : 0;
    String found =
        String.format(Locale.ROOT, "%s: %.1f GB free, %.0f %%", what, freeBytes / 1e9, 100 * share);
    if (share < 0.05 || freeBytes < 1_000_000_000L) {
      return Finding.fail(DISK, where, found, "free some before you load");
    }
    return share < 0.2
        ? Finding.warn(DISK, where, found, "compactions and a lost server want a fifth free")
        : Finding.ok(DISK, where, found);
  }
}
