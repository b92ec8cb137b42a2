/** The main job once, on this machine, with proof: start, load, verify, query. */
@NullMarked
package io.packhorse.loader.demo;

import org.jspecify.annotations.NullMarked;
