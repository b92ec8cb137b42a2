/** What our patches cost where no cell is packed: live puts, and queries over plain cells. */
@NullMarked
package io.packhorse.benchmarks.plain;

import org.jspecify.annotations.NullMarked;
