/**
 * Writes many series of line protocol, with the options and the output of InfluxData's tool inch.
 */
@NullMarked
package io.packhorse.loader.inch;

import org.jspecify.annotations.NullMarked;
