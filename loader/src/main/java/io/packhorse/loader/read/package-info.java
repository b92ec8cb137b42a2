/** Stored rows, and the points they hold by the rules of precedence. */
@NullMarked
package io.packhorse.loader.read;

import org.jspecify.annotations.NullMarked;
