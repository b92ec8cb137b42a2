package io.packhorse.loader.demo;

import io.packhorse.loader.query.WalkQuery;
import java.util.List;

/**
 * How the TSD answered a query that was sent twice.
 *
 * @param firstMs until the first answer was read
 * @param againMs until the second one was read
 * @param differences of the first answer from the right one, a sentence each; empty if it is right
 */
public record DemoAnswer(
    WalkQuery query, double firstMs, double againMs, List<String> differences) {
  /** Whether the answer is right. */
  public boolean isRight() {
    return differences.isEmpty();
  }
}
