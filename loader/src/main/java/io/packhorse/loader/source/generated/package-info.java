/** Generated points: the reference workload, and those of workload files. */
@NullMarked
package io.packhorse.loader.source.generated;

import org.jspecify.annotations.NullMarked;
