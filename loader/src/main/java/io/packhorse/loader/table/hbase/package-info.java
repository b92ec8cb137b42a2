/** Creates missing tables on HBase, and inspects existing ones. */
@NullMarked
package io.packhorse.loader.table.hbase;

import org.jspecify.annotations.NullMarked;
