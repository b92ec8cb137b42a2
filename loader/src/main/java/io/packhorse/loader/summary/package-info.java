/** Collects what packed cells add up to, and makes the blocks of the summary table of it. */
@NullMarked
package io.packhorse.loader.summary;

import org.jspecify.annotations.NullMarked;
