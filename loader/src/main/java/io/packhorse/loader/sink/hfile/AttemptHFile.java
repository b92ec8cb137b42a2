package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.hbase.CodecDefaults;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The HFile that one attempt of a task writes, in a folder of its own below the load's. The load
 * takes it only if the attempt is the one that counts; see {@link SpreadHFiles}. One thread.
 */
public final class AttemptHFile implements Closeable {
  private static final String FILE = "cells";

  static {
    // This process may have no connection to HBase, which would have seen to that.
    CodecDefaults.add();
  }

  private final SpreadTarget target;
  private final Configuration conf;
  private final FileSystem files;
  private final Path load;
  private final Path folder;
  private @Nullable HFileWriter writer;
  private boolean finished;

  /**
   * Prepares the file; nothing is made before the first cell.
   *
   * @param attempt a name that no other attempt of any task of the load has
   * @throws IOException if the file system cannot be used
   */
  public AttemptHFile(SpreadTarget target, String attempt) throws IOException {
    this.target = target;
    this.conf = target.configuration();
    this.load = new Path(target.folder());
    this.folder = new Path(new Path(load, SpreadHFiles.ATTEMPTS), attempt);
    this.files = load.getFileSystem(conf);
  }

  /**
   * Appends a cell. All cells of the file lie in one region, and come in the order of HBase: row
   * key, qualifier, newest timestamp first.
   *
   * @throws IOException if it cannot be written, is out of order, or the load has ended
   */
  public void write(CellWrite cell) throws IOException {
    HFileWriter open = writer;
    try {
      if (open == null) {
        open = open(cell);
        writer = open;
      }
      if (!open.accepts(cell)) {
        throw new IOException("a cell is out of order");
      }
      open.append(cell);
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  private HFileWriter open(CellWrite first) throws IOException {
    // Writing would make the folder of the load again, and nobody would remove it.
    if (!files.exists(load)) {
      throw new IOException("the load has ended");
    }
    ColumnFamilyDescriptor family = target.familyDescriptor();
    return new HFileWriter(
        conf, files, new Path(folder, FILE), TableName.valueOf(target.table()), family, first);
  }

  /**
   * Completes the file.
   *
   * @return what was written; empty if there was no cell
   */
  public Optional<WrittenHFile> finish() throws IOException {
    HFileWriter open = writer;
    if (open == null) {
      finished = true;
      return Optional.empty();
    }
    try {
      RegionFile file = open.finish();
      if (target.checksums()) {
        file = file.withCrc32c(FileChecksum.of(files, file.path()));
      }
      finished = true;
      return Optional.of(WrittenHFile.of(file));
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  private IOException notWritten(IOException e) {
    return StepFailure.of("HFiles cannot be written to " + folder, e);
  }

  /** Removes what an attempt has written that was not finished. */
  @Override
  public void close() throws IOException {
    if (!finished) {
      if (writer != null) {
        writer.close();
      }
      files.delete(folder, true);
    }
  }
}
