/** Reads table names, salt and UID widths from a TSD's own configuration. */
@NullMarked
package io.packhorse.loader.layout;

import org.jspecify.annotations.NullMarked;
