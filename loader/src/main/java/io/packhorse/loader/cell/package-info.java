/** Cells ready to be stored, and who writes them. */
@NullMarked
package io.packhorse.loader.cell;

import org.jspecify.annotations.NullMarked;
