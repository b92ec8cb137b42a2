/** Plans tables for a volume of data, and describes the tables that exist. */
@NullMarked
package io.packhorse.loader.table;

import org.jspecify.annotations.NullMarked;
