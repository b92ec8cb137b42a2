package io.packhorse.loader.summary;

import io.packhorse.schema.packed.CellStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What a packed cell adds up to.
 *
 * @param series number that the caller has given to series and loader
 * @param hour since 1970
 * @param points 1 or more
 * @param firstMs time of the first point, in milliseconds from the start of the hour
 * @param lastMs time of the last point, likewise
 * @param statistics of all points; null if they have none
 */
public record SummedCell(
    int series,
    int hour,
    int points,
    int firstMs,
    int lastMs,
    @Nullable CellStatistics statistics) {}
