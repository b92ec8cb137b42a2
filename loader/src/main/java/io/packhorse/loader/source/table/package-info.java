/**
 * Tables, whatever file they are in: the mapping of columns, their times, the series of their rows.
 */
@NullMarked
package io.packhorse.loader.source.table;

import org.jspecify.annotations.NullMarked;
