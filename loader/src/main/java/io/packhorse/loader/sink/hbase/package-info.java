/** Cells written to HBase as Puts, each one's own result checked. */
@NullMarked
package io.packhorse.loader.sink.hbase;

import org.jspecify.annotations.NullMarked;
