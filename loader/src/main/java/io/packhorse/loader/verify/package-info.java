/** Reads stored points back and compares them with what was loaded. */
@NullMarked
package io.packhorse.loader.verify;

import org.jspecify.annotations.NullMarked;
