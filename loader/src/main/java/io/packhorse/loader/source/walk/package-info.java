/** Generated points: the reference workload. */
@NullMarked
package io.packhorse.loader.source.walk;

import org.jspecify.annotations.NullMarked;
