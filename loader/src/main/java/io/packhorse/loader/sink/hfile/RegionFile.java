package io.packhorse.loader.sink.hfile;

import org.apache.hadoop.fs.Path;

/**
 * One finished HFile, all of it inside one region.
 *
 * @param path on the table's file system
 * @param points in its cells, cells replaced by a later equal one included
 * @param lastRow row key of its last cell
 * @param lastQualifier column of its last cell
 */
record RegionFile(Path path, long points, byte[] lastRow, byte[] lastQualifier) {}
