package io.packhorse.loader.source.table;

import java.util.Optional;

/**
 * What the user states about tables; what is empty is detected from each.
 *
 * @param mapping instead of everything else, and with what the user states about times in it
 * @param timeFormat of {@link TableMapping.Time}
 * @param zone of times without an offset
 * @param dst for local times that are ambiguous or do not exist
 * @param columns single columns; not used with a mapping
 * @param storesBooleans whether columns of true and false are values, 1 and 0
 */
public record TableOptions(
    Optional<TableMapping> mapping,
    Optional<String> timeFormat,
    String zone,
    Dst dst,
    ColumnOptions columns,
    boolean storesBooleans) {
  /** Local times are those of UTC. */
  public static final TableMapping.Time ISO_TIME =
      new TableMapping.Time(TableMapping.Time.ISO, "UTC", Dst.REJECT);

  /** Nothing is stated; local times are those of UTC. */
  public static final TableOptions NONE =
      new TableOptions(Optional.empty(), Optional.empty(), ISO_TIME.zone(), ISO_TIME.dst());

  /** Nothing is stated about single columns. */
  public TableOptions(
      Optional<TableMapping> mapping, Optional<String> timeFormat, String zone, Dst dst) {
    this(mapping, timeFormat, zone, dst, ColumnOptions.NONE);
  }

  /** True and false are no values. */
  public TableOptions(
      Optional<TableMapping> mapping,
      Optional<String> timeFormat,
      String zone,
      Dst dst,
      ColumnOptions columns) {
    this(mapping, timeFormat, zone, dst, columns, false);
  }

  /** A copy with other options for columns and text. */
  public TableOptions withColumns(ColumnOptions other) {
    return new TableOptions(mapping, timeFormat, zone, dst, other, storesBooleans);
  }
}
