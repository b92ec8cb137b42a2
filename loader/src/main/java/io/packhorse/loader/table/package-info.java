/** Tables as they are planned and as they are found. */
@NullMarked
package io.packhorse.loader.table;

import org.jspecify.annotations.NullMarked;
