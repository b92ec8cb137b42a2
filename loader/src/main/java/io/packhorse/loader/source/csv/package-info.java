/** Tables of separated values, by a mapping of their columns. */
@NullMarked
package io.packhorse.loader.source.csv;

import org.jspecify.annotations.NullMarked;
