package io.packhorse.benchmarks.load;

import java.util.SortedMap;

/**
 * Points of one series that a TSD must give back.
 *
 * @param series as in a query: {@code metric{tag=value}}
 * @param points value by time in seconds since 1970; all of the series in that span
 */
record KnownSeries(String series, SortedMap<Long, Double> points) {}
