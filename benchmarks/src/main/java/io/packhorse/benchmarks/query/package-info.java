/** Queries answered by a stock TSD over its own cells and by ours over packed ones. */
@NullMarked
package io.packhorse.benchmarks.query;

import org.jspecify.annotations.NullMarked;
