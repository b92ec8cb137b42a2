/** Cells written as HFiles onto the table's own file system and handed to HBase by bulk load. */
@NullMarked
package io.packhorse.loader.sink.hfile;

import org.jspecify.annotations.NullMarked;
