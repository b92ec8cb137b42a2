/** What a receiver has taken and HBase may not have yet, on local disk. */
@NullMarked
package io.packhorse.loader.receive.log;

import org.jspecify.annotations.NullMarked;
