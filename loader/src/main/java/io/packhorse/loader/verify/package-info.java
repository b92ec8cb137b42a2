/** Reads stored hours back and compares them with what they should hold. */
@NullMarked
package io.packhorse.loader.verify;

import org.jspecify.annotations.NullMarked;
