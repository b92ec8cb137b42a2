/**
 * Connects to HBase, logs in to Kerberos, retries calls while a region moves, and runs calls beside
 * each other.
 */
@NullMarked
package io.packhorse.loader.hbase;

import org.jspecify.annotations.NullMarked;
