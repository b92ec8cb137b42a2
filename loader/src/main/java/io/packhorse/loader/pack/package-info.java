/** Collects points into hours and seals finished hours as cells. */
@NullMarked
package io.packhorse.loader.pack;

import org.jspecify.annotations.NullMarked;
