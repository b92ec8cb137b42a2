/** Writes cells as HFiles on the table's file system, stages and bulk-loads them. */
@NullMarked
package io.packhorse.loader.sink.hfile;

import org.jspecify.annotations.NullMarked;
