/** OpenTSDB's own cells: qualifiers, flags, compacted values, and the block of points they hold. */
@NullMarked
package io.packhorse.schema.cell;

import org.jspecify.annotations.NullMarked;
