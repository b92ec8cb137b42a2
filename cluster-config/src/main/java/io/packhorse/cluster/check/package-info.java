/** Checks rendered configuration against the classes that will read it. */
@NullMarked
package io.packhorse.cluster.check;

import org.jspecify.annotations.NullMarked;
