/** The embedded store: its directory, and the HBase and TSD processes that serve it. */
@NullMarked
package io.packhorse.loader.store;

import org.jspecify.annotations.NullMarked;
