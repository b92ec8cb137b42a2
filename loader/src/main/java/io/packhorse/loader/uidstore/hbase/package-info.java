/**
 * OpenTSDB's tables {@code tsdb-uid} and {@code tsdb-meta}, and the loader id counter, on HBase.
 */
@NullMarked
package io.packhorse.loader.uidstore.hbase;

import org.jspecify.annotations.NullMarked;
