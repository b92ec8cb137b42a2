package io.packhorse.benchmarks.query;

import java.net.http.HttpRequest;

/** A request to a TSD that can be made of either form of the cells. */
interface Question {
  /** Name of the case. */
  String name();

  /** The metric that holds one form of cells, or what the names of several begin with. */
  String metric(String cells);

  /** The request to a TSD over a metric. */
  HttpRequest request(String tsd, String metric);
}
