package io.packhorse.benchmarks.receive;

import java.util.List;

/**
 * Bodies of requests, made before the clock starts.
 *
 * @param form of the points
 * @param encoding how they are compressed; empty if they are not
 * @param name measurement, or first word of the metrics
 * @param metrics that the points have
 * @param bodies in the order of their times
 * @param points in all of them, as many of each metric
 * @param sum of their values
 */
record Bodies(
    Form form,
    String encoding,
    String name,
    List<String> metrics,
    List<byte[]> bodies,
    long points,
    long sum) {}
