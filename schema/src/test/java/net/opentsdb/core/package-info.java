/** A way into OpenTSDB's package-private classes, for tests only. */
@NullMarked
package net.opentsdb.core;

import org.jspecify.annotations.NullMarked;
