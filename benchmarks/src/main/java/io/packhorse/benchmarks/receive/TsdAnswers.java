package io.packhorse.benchmarks.receive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** Counts and sums that a TSD has of the points of a run. */
final class TsdAnswers {
  private TsdAnswers() {}

  /**
   * Asks for number and sum of all points.
   *
   * @throws IOException if they are not those that were sent
   */
  static void check(String tsd, Bodies sent) throws IOException {
    long points = 0;
    long sum = 0;
    for (String metric : sent.metrics()) {
      points += ask(tsd, "sum:0all-count:" + metric);
      sum += ask(tsd, "sum:0all-sum:" + metric);
    }
    if (points != sent.points() || sum != sent.sum()) {
      throw new IOException(
          String.format(
              "the TSD has %,d points with sum %,d; sent were %,d with sum %,d",
              points, sum, sent.points(), sent.sum()));
    }
  }

  private static long ask(String tsd, String m) throws IOException {
    URI uri =
        URI.create(
            tsd
                + "/api/query?start="
                + (Hosts.START_S - 1)
                + "&end="
                + Integer.MAX_VALUE
                + "&m="
                + ServerProcess.encoded(m));
    long all = 0;
    try (InputStream in = uri.toURL().openStream()) {
      for (JsonNode series : new ObjectMapper().readTree(in)) {
        for (JsonNode value : series.required("dps")) {
          all += value.asLong();
        }
      }
    }
    return all;
  }
}
