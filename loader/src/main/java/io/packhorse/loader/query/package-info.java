/** Asks a TSD over HTTP, and knows what the reference workload should answer. */
@NullMarked
package io.packhorse.loader.query;

import org.jspecify.annotations.NullMarked;
