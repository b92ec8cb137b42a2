/** Cells of every data shape beside other ways to store them: sizes and speed, in this process. */
@NullMarked
package io.packhorse.benchmarks.cells;

import org.jspecify.annotations.NullMarked;
