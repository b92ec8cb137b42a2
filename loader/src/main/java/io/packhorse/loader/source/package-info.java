/** Where points come from; generated series. Its packages read files. */
@NullMarked
package io.packhorse.loader.source;

import org.jspecify.annotations.NullMarked;
