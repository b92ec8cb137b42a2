/** OpenTSDB's import lines, and lines of a timestamp and a value. */
@NullMarked
package io.packhorse.loader.source.opentsdb;

import org.jspecify.annotations.NullMarked;
