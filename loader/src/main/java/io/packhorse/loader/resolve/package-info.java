/** Series names to TSUIDs, each name resolved once. */
@NullMarked
package io.packhorse.loader.resolve;

import org.jspecify.annotations.NullMarked;
