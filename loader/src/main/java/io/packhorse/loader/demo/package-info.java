/** Starts a store, loads generated points, verifies and queries them. */
@NullMarked
package io.packhorse.loader.demo;

import org.jspecify.annotations.NullMarked;
