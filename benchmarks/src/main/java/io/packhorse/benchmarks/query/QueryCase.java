package io.packhorse.benchmarks.query;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One request.
 *
 * @param name of the case: shape, series, span
 * @param dataset which data it reads
 * @param expression the query, METRIC standing for the metric
 * @param gexp whether it goes to the expression endpoint
 * @param span of time from the dataset's start
 * @param series read
 */
record QueryCase(
    String name, Dataset dataset, String expression, boolean gexp, Duration span, int series) {

  /** The points that lie in the span. */
  long points() {
    return series * (span.toSeconds() / dataset.interval().toSeconds());
  }

  /** The request to a TSD over a metric. */
  URI request(String tsd, String metric) {
    String query = URLEncoder.encode(expression.replace("METRIC", metric), StandardCharsets.UTF_8);
    return URI.create(
        tsd
            + (gexp ? "/api/query/gexp?exp=" : "/api/query?m=")
            + query
            + "&start="
            + Dataset.START_S
            + "&end="
            + (Dataset.START_S + span.toSeconds() - 1));
  }
}
