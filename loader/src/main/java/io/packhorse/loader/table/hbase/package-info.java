/** Tables on a live HBase: creating what is missing, listing regions. */
@NullMarked
package io.packhorse.loader.table.hbase;

import org.jspecify.annotations.NullMarked;
