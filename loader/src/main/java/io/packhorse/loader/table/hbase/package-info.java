/** Tables on a live HBase: creating what is missing, looking at what is there. */
@NullMarked
package io.packhorse.loader.table.hbase;

import org.jspecify.annotations.NullMarked;
