/** Writes cells to HBase as Puts, checking the result of each. */
@NullMarked
package io.packhorse.loader.sink.hbase;

import org.jspecify.annotations.NullMarked;
