/** Real HBase in one JVM on local disk: ZooKeeper, master and region server, loopback only. */
@NullMarked
package io.packhorse.embedded;

import org.jspecify.annotations.NullMarked;
