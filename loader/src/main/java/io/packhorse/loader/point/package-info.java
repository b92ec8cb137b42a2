/** Points on their way in: series by name, batches of points. */
@NullMarked
package io.packhorse.loader.point;

import org.jspecify.annotations.NullMarked;
