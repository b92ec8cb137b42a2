/** The receiver's write-ahead log on local disk: points that HBase may not have stored yet. */
@NullMarked
package io.packhorse.loader.receive.log;

import org.jspecify.annotations.NullMarked;
