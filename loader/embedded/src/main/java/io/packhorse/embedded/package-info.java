/** HBase in one JVM on a local disk: ZooKeeper, master and region server, on loopback only. */
@NullMarked
package io.packhorse.embedded;

import org.jspecify.annotations.NullMarked;
