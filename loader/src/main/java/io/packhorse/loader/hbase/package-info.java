/** Connects to HBase, logs in to Kerberos, and retries calls while a region moves. */
@NullMarked
package io.packhorse.loader.hbase;

import org.jspecify.annotations.NullMarked;
