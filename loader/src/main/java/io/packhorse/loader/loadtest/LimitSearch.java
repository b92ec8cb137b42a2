package io.packhorse.loader.loadtest;

import io.packhorse.loader.loadtest.LoadTestResult.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for the highest rate at which a workload keeps its limits: twice the rate until one is
 * missed, then between the highest that kept them and the lowest that did not, until the two are
 * within {@link #CLOSE}. A rate counts as missed when it was missed twice: a pause of the target or
 * of the generator that falls into one short step would put the limit far too low.
 */
public final class LimitSearch {
  /** Ratio of the rates between which the limit is, at the end. */
  public static final double CLOSE = 1.05;

  private static final double FACTOR_MIN = 1.0 / 1024;

  private final Workload workload;
  private final List<Step> steps = new ArrayList<>();
  private double kept;
  private double missed = Double.POSITIVE_INFINITY;

  /** Runs one load test. */
  @FunctionalInterface
  public interface Tester {
    /**
     * Runs it.
     *
     * @param number of the step, from 1 on
     */
    LoadTestResult run(Workload workload, int number) throws IOException, InterruptedException;
  }

  /**
   * A rate that was tried.
   *
   * @param factor of the rate of the workload as it was given
   */
  public record Step(double factor, LoadTestResult result) {
    /** Points a second that were intended. */
    public double pointsPerSecond() {
      return result.workload().pointsPerSecond();
    }
  }

  /**
   * What was found.
   *
   * @param steps in the order they were tried
   * @param kept the highest rate that kept all limits; empty for none
   * @param missed the lowest that did not; empty for none
   * @param verdict PASSED if the limit lies between the two
   */
  public record Found(
      List<Step> steps, Optional<Step> kept, Optional<Step> missed, Verdict verdict) {
    /** For programs. */
    public Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("verdict", verdict.name().toLowerCase(Locale.ROOT));
      json.put("points_per_s", kept.map(Step::pointsPerSecond).orElse(0.0));
      json.put("points_per_s_missed", missed.map(Step::pointsPerSecond).orElse(null));
      json.put("steps", steps.stream().map(Found::json).toList());
      return json;
    }

    private static Map<String, Object> json(Step step) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("factor", step.factor());
      json.put("points_per_s", step.pointsPerSecond());
      json.put("missed", step.result().missed());
      json.putAll(step.result().json());
      return json;
    }
  }

  private LimitSearch(Workload workload) {
    this.workload = workload;
  }

  /**
   * Searches; ends early when an answer is wrong, or the generator is too slow for a rate twice.
   *
   * @param workload with one limit at least
   */
  public static Found of(Workload workload, Tester tester)
      throws IOException, InterruptedException {
    return new LimitSearch(workload).search(tester);
  }

  private Found search(Tester tester) throws IOException, InterruptedException {
    Optional<Workload> next = Optional.of(workload);
    double factor = 1;
    boolean again = false;
    while (next.isPresent()) {
      Step step = new Step(factor, tester.run(next.get(), steps.size() + 1));
      steps.add(step);
      Verdict verdict = step.result().verdict();
      if (verdict == Verdict.WRONG_DATA || (verdict == Verdict.INVALID && again)) {
        return found(verdict);
      }
      again = verdict != Verdict.PASSED && !again;
      if (again) {
        continue;
      }
      if (verdict == Verdict.PASSED) {
        kept = factor;
      } else {
        missed = factor;
      }
      factor = nextFactor();
      next = workload(factor);
    }
    return found(kept > 0 ? Verdict.PASSED : Verdict.MISSED);
  }

  private double nextFactor() {
    if (kept == 0) {
      return missed / 2;
    }
    return Double.isInfinite(missed) ? kept * 2 : Math.sqrt(kept * missed);
  }

  /** The workload for a rate; empty if it would say nothing new. */
  private Optional<Workload> workload(double factor) {
    if (missed / Math.max(kept, FACTOR_MIN) <= CLOSE || factor < FACTOR_MIN) {
      return Optional.empty();
    }
    Workload next = workload.times(factor);
    boolean known =
        steps.stream()
            .anyMatch(step -> step.result().workload().series().count() == next.series().count());
    return known ? Optional.empty() : Optional.of(next);
  }

  private Found found(Verdict verdict) {
    return new Found(List.copyOf(steps), tried(kept), tried(missed), verdict);
  }

  /** The last try of a rate. */
  private Optional<Step> tried(double factor) {
    return steps.stream().filter(step -> step.factor() == factor).reduce((first, last) -> last);
  }
}
