package io.packhorse.loader.source.format;

import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.table.TableOptions;
import java.util.List;
import java.util.Optional;

/**
 * What the user states about the inputs; what is empty is detected from each.
 *
 * @param unit of timestamps that are numbers
 * @param rules for names and times
 * @param tables for inputs that are tables
 * @param fields for line protocol: fields that are not numbers
 * @param pathPatterns regular expressions that fit the end of a file's path, whose named groups are
 *     tags
 */
public record SourceSpec(
    Optional<Format> format,
    Optional<TimestampUnit> unit,
    SeriesRules rules,
    TableOptions tables,
    FieldRules fields,
    List<String> pathPatterns) {
  public SourceSpec {
    pathPatterns = List.copyOf(pathPatterns);
  }

  /** The paths of files say nothing but what folders named {@code key=value} do. */
  public SourceSpec(
      Optional<Format> format,
      Optional<TimestampUnit> unit,
      SeriesRules rules,
      TableOptions tables,
      FieldRules fields) {
    this(format, unit, rules, tables, fields, List.of());
  }

  /** Fields that are not numbers are rejects. */
  public SourceSpec(
      Optional<Format> format,
      Optional<TimestampUnit> unit,
      SeriesRules rules,
      TableOptions tables) {
    this(format, unit, rules, tables, FieldRules.REJECT);
  }

  /** Nothing is stated about tables. */
  public SourceSpec(Optional<Format> format, Optional<TimestampUnit> unit, SeriesRules rules) {
    this(format, unit, rules, TableOptions.NONE);
  }
}
