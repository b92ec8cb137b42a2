/** Turns the stored columns of an hour into packed cells, in place. */
@NullMarked
package io.packhorse.loader.repack;

import org.jspecify.annotations.NullMarked;
