/** The summary table on HBase, and the claims of what it does not answer for. */
@NullMarked
package io.packhorse.loader.summary.hbase;

import org.jspecify.annotations.NullMarked;
