package net.opentsdb.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hbase.async.KeyValue;

/** Rows for tests in other packages. */
@SuppressWarnings("NonApiType") // The HBase client hands out ArrayLists.
public final class LastPoints {
  private LastPoints() {}

  /** A TSDB without a cluster that knows the rows' names. */
  public static TSDB tsdb() {
    return OfflineTsdb.create();
  }

  /** The same, told to leave out damaged cells. */
  public static TSDB skippingTsdb() {
    return OfflineTsdb.create(Map.of(DamagedCells.SKIP, "true"));
  }

  /** The rows' series. */
  public static byte[] tsuid() {
    return new byte[] {0, 0, 1, 0, 0, 1, 0, 0, 1};
  }

  /** Packed points 7 and 8. */
  public static ArrayList<KeyValue> packed() {
    return new ArrayList<>(List.of(Cells.packed(Cells.longs(7, 0, 1000), 1, 0, 10)));
  }

  /** One annotation. */
  public static ArrayList<KeyValue> annotated() {
    return new ArrayList<>(List.of(Cells.annotation("pump off")));
  }

  /** One plain point. */
  public static KeyValue plain() {
    return Cells.plain(Cells.longs(9, 5000), 12);
  }

  /** The first half of a packed cell. */
  public static KeyValue damaged() {
    KeyValue cell = Cells.packed(Cells.longs(7, 0, 1000, 2500), 1, 0, 10);
    byte[] half = java.util.Arrays.copyOf(cell.value(), cell.value().length / 2);
    return new KeyValue(cell.key(), cell.family(), cell.qualifier(), 10, half);
  }
}
