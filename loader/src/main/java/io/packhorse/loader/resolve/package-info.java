/** Turns series names into TSUIDs; each name is looked up once. */
@NullMarked
package io.packhorse.loader.resolve;

import org.jspecify.annotations.NullMarked;
