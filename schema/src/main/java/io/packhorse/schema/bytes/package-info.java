/** Bounds-checked cursors over bytes: fixed-width integers, varints and bit fields. */
@NullMarked
package io.packhorse.schema.bytes;

import org.jspecify.annotations.NullMarked;
