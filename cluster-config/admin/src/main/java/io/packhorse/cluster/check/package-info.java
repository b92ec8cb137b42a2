/** Checks rendered configuration with the classes of the programs that read it. */
@NullMarked
package io.packhorse.cluster.check;

import org.jspecify.annotations.NullMarked;
