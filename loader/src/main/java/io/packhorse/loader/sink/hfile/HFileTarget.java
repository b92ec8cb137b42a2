package io.packhorse.loader.sink.hfile;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What an offline load writes to.
 *
 * @param table OpenTSDB's data table
 * @param family column family of the cells
 * @param folder for HFiles, on the table's file system: HBase then renames instead of copying.
 *     Empty for {@code hbase.fs.tmp.dir} on the file system of {@code hbase.rootdir}
 * @param sortFolder local, for runs of cells that do not come in row order; each load makes a
 *     folder of its own there, as it does in {@code folder}
 * @param sortBytesMax memory for such cells, over all threads
 * @param threads that write, at least 1
 * @param inRowOrder whether the source promises cells in row order within each region; what breaks
 *     the promise is sorted and makes further files
 */
public record HFileTarget(
    String table,
    String family,
    Optional<URI> folder,
    Path sortFolder,
    long sortBytesMax,
    int threads,
    boolean inRowOrder) {}
