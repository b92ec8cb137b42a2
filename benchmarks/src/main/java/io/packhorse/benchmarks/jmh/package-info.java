/** Benchmarks of kernels, run by JMH. */
@NullMarked
package io.packhorse.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
