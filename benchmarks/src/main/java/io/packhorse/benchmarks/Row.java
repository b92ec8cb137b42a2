package io.packhorse.benchmarks;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One figure of a benchmark.
 *
 * @param caseName what was done
 * @param system who did it
 * @param metric what was measured, unit in the name where it has one
 * @param value the figure; a median where the work was repeated
 * @param unit of the figure
 */
record Row(
    @JsonProperty("case") String caseName,
    String system,
    String metric,
    double value,
    String unit) {}
