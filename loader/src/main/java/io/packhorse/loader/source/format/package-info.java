/** Which format an input is in. */
@NullMarked
package io.packhorse.loader.source.format;

import org.jspecify.annotations.NullMarked;
