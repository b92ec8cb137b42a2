/** What a sink promises. */
@NullMarked
package io.packhorse.loader.sink;

import org.jspecify.annotations.NullMarked;
