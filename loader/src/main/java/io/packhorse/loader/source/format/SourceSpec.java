package io.packhorse.loader.source.format;

import io.packhorse.loader.source.csv.TableSpec;
import io.packhorse.loader.source.text.SeriesRules;
import io.packhorse.loader.source.text.TimestampUnit;
import java.util.Optional;

/**
 * What the user says of the inputs; what is empty is found out from each.
 *
 * @param unit of timestamps that are numbers
 * @param rules for names and times
 * @param tables for inputs that are tables
 */
public record SourceSpec(
    Optional<Format> format, Optional<TimestampUnit> unit, SeriesRules rules, TableSpec tables) {
  /** What the user says of inputs that are no tables. */
  public SourceSpec(Optional<Format> format, Optional<TimestampUnit> unit, SeriesRules rules) {
    this(format, unit, rules, TableSpec.NONE);
  }
}
