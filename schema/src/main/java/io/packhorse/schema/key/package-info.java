/** Identity of a series, its hours, and the row keys of OpenTSDB's data table. */
@NullMarked
package io.packhorse.schema.key;

import org.jspecify.annotations.NullMarked;
