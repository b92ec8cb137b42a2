/** Benchmarks of whole commands: answers are checked first, then measured. */
@NullMarked
package io.packhorse.benchmarks;

import org.jspecify.annotations.NullMarked;
