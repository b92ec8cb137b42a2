package io.packhorse.benchmarks.query;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One request.
 *
 * @param name of the case: shape, series, span
 * @param dataset which data it reads
 * @param expression the query, METRIC standing for the metric
 * @param gexp whether it goes to the expression endpoint
 * @param valueFilter which values are asked for, such as {@code >=95}; empty for all
 * @param span of time from the dataset's start
 * @param series read
 */
record QueryCase(
    String name,
    Dataset dataset,
    String expression,
    boolean gexp,
    String valueFilter,
    Duration span,
    int series)
    implements Question {

  /** One that asks for all values. */
  QueryCase(
      String name, Dataset dataset, String expression, boolean gexp, Duration span, int series) {
    this(name, dataset, expression, gexp, "", span, series);
  }

  /** The points that lie in the span. */
  long points() {
    return series * (span.toSeconds() / dataset.interval().toSeconds());
  }

  @Override
  public String metric(String cells) {
    return dataset.metric(cells);
  }

  @Override
  public HttpRequest request(String tsd, String metric) {
    String query = encode(expression.replace("METRIC", metric));
    String uri =
        tsd
            + (gexp ? "/api/query/gexp?exp=" : "/api/query?m=")
            + query
            + (valueFilter.isEmpty() ? "" : "&vf=" + encode(valueFilter))
            + "&start="
            + Dataset.START_S
            + "&end="
            + (Dataset.START_S + span.toSeconds() - 1);
    return HttpRequest.newBuilder(URI.create(uri)).build();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
