package io.packhorse.loader.store;

import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.table.TableSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which servers of a store are started, and how.
 *
 * @param zookeeperPort loopback port; empty takes the one used last, or a free one
 * @param tsdPort the patched TSD's port, likewise; on first start 4242 if it is free
 * @param stockTsdPort the stock TSD's port, likewise
 * @param tsds which TSDs must run, perhaps none
 * @param tsdHeapMib heap of each TSD that is started, MiB; empty for one by the machine's memory
 * @param tiedToThisProcess whether HBase stops by itself when this JVM ends
 */
public record ServerOptions(
    OptionalInt zookeeperPort,
    OptionalInt tsdPort,
    OptionalInt stockTsdPort,
    Set<TsdKind> tsds,
    OptionalInt tsdHeapMib,
    boolean tiedToThisProcess) {
  /** Salt bytes of the data table. */
  public static final int SALT_WIDTH = 1;

  /** Salt buckets, and so regions, of the data table. */
  public static final int SALT_BUCKETS = 4;

  public ServerOptions {
    tsds = Set.copyOf(tsds);
  }

  /** HBase and the patched TSD, which outlive this process, on ports chosen by the store. */
  public static ServerOptions defaults() {
    return new ServerOptions(
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        EnumSet.of(TsdKind.PATCHED),
        OptionalInt.empty(),
        false);
  }

  /** The same, but HBase ends with this process. */
  public ServerOptions tied() {
    return new ServerOptions(zookeeperPort, tsdPort, stockTsdPort, tsds, tsdHeapMib, true);
  }

  /**
   * The tables of a store. Packed cells are compressed: that makes cells of 60 points and fewer
   * smaller and costs little for others.
   */
  public static List<TableSpec> tables() {
    return StoreTables.all(SALT_WIDTH, SALT_BUCKETS, "ZSTD");
  }

  /** Ports given by the user. */
  Set<Integer> ports() {
    return Stream.of(zookeeperPort, tsdPort, stockTsdPort)
        .flatMapToInt(OptionalInt::stream)
        .boxed()
        .collect(Collectors.toSet());
  }

  /** A port used last, unless the user gives it to a server now. */
  OptionalInt unlessGiven(OptionalInt last) {
    return last.isPresent() && ports().contains(last.getAsInt()) ? OptionalInt.empty() : last;
  }

  OptionalInt port(TsdKind kind) {
    return kind == TsdKind.PATCHED ? tsdPort : stockTsdPort;
  }
}
