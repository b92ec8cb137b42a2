/** What a sink promises, and sinks that need no store. */
@NullMarked
package io.packhorse.loader.sink;

import org.jspecify.annotations.NullMarked;
