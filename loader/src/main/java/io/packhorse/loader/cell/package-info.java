/** Cells ready to store, and the two forms an hour can take. */
@NullMarked
package io.packhorse.loader.cell;

import org.jspecify.annotations.NullMarked;
