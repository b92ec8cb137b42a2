/** The connection to the cluster, shared by everything that speaks to HBase. */
@NullMarked
package io.packhorse.loader.hbase;

import org.jspecify.annotations.NullMarked;
