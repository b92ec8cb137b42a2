/** Stored points on their way out: which, and in which form. */
@NullMarked
package io.packhorse.loader.export;

import org.jspecify.annotations.NullMarked;
