/** Queries a TSD over HTTP, and computes the right answers for the reference walk. */
@NullMarked
package io.packhorse.loader.query;

import org.jspecify.annotations.NullMarked;
