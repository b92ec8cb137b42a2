/** The launcher script, run by bash against pretended JDKs and a pretended Maven. */
@NullMarked
package io.packhorse.loader.launcher;

import org.jspecify.annotations.NullMarked;
