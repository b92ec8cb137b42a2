/** Where points come from. The packages below read files or generate points. */
@NullMarked
package io.packhorse.loader.source;

import org.jspecify.annotations.NullMarked;
