/** Stored rows, and the points in them after overlapping cells are merged. */
@NullMarked
package io.packhorse.loader.read;

import org.jspecify.annotations.NullMarked;
