/** The connection to the cluster, and patience with it, for all that speaks to HBase. */
@NullMarked
package io.packhorse.loader.hbase;

import org.jspecify.annotations.NullMarked;
