/** The tables of a store as plain values: names, families, split points. */
@NullMarked
package io.packhorse.schema.table;

import org.jspecify.annotations.NullMarked;
