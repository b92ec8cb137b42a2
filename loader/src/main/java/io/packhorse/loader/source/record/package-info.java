/**
 * What the records of an input become: series, points and rejects; numbers and timestamps in bytes.
 */
@NullMarked
package io.packhorse.loader.source.record;

import org.jspecify.annotations.NullMarked;
