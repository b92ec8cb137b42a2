/** Reads stored rows from HBase. */
@NullMarked
package io.packhorse.loader.read.hbase;

import org.jspecify.annotations.NullMarked;
