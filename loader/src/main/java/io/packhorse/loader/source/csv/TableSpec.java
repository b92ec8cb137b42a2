package io.packhorse.loader.source.csv;

import java.util.Optional;

/**
 * What the user says of tables; what is empty is found out from each.
 *
 * @param mapping instead of everything else, and with what the user says of times in it
 * @param timeFormat of {@link CsvMapping.Time}
 * @param zone of times without an offset
 * @param dst for times that this zone has twice or never
 */
public record TableSpec(
    Optional<CsvMapping> mapping, Optional<String> timeFormat, String zone, Dst dst) {
  /** Local times are those of UTC. */
  public static final CsvMapping.Time ISO_TIME =
      new CsvMapping.Time(CsvMapping.Time.ISO, "UTC", Dst.REJECT);

  /** Everything is found out; local times are those of UTC. */
  public static final TableSpec NONE =
      new TableSpec(Optional.empty(), Optional.empty(), ISO_TIME.zone(), ISO_TIME.dst());
}
