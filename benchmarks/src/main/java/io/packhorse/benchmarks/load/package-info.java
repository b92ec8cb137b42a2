/** Whole loads, from the start of the command until the last row can be read. */
@NullMarked
package io.packhorse.benchmarks.load;

import org.jspecify.annotations.NullMarked;
