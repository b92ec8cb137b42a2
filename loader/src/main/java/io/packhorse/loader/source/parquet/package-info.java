/** Parquet files, by a mapping of their columns. */
@NullMarked
package io.packhorse.loader.source.parquet;

import org.jspecify.annotations.NullMarked;
