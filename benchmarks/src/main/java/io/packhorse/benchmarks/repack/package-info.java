/** Tables that exist: the way out of them. */
@NullMarked
package io.packhorse.benchmarks.repack;

import org.jspecify.annotations.NullMarked;
