/** OpenTSDB's table of unique ids: kinds, widths, and the bytes of its rows. */
@NullMarked
package io.packhorse.schema.uid;

import org.jspecify.annotations.NullMarked;
