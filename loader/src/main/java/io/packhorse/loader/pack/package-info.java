/** Open hours of points, and when an hour is done. */
@NullMarked
package io.packhorse.loader.pack;

import org.jspecify.annotations.NullMarked;
