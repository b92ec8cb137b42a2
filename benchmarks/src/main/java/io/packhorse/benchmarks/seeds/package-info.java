/** The workloads of published experiments. */
@NullMarked
package io.packhorse.benchmarks.seeds;

import org.jspecify.annotations.NullMarked;
