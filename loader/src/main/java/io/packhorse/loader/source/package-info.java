/** Where points come from: generated series and files. */
@NullMarked
package io.packhorse.loader.source;

import org.jspecify.annotations.NullMarked;
