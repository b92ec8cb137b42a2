/** OpenTSDB's tables of names and of series, and the loader counter, over HBase. */
@NullMarked
package io.packhorse.loader.uidstore.hbase;

import org.jspecify.annotations.NullMarked;
