package io.packhorse.loader.sink.hfile;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a load by HFiles writes, and with what memory.
 *
 * @param table OpenTSDB's data table
 * @param family column family of the cells
 * @param folder for HFiles, on the table's file system, so that HBase renames and does not copy;
 *     empty for {@code hbase.fs.tmp.dir} on the file system of {@code hbase.rootdir}
 * @param sortFolder local, for sorted runs of cells that do not come in row order. Each load makes
 *     its own folder in there, as in {@code folder}
 * @param sortBytesMax memory for such cells, over all threads
 * @param threads that write, 1 or more
 * @param inRowOrder whether each thread writes its cells in row order within a region; cells out of
 *     order are still sorted, but make further files
 */
public record HFileTarget(
    String table,
    String family,
    Optional<URI> folder,
    Path sortFolder,
    long sortBytesMax,
    int threads,
    boolean inRowOrder) {}
