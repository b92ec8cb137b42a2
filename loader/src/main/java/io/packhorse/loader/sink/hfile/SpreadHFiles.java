package io.packhorse.loader.sink.hfile;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The HFiles of a load that many processes write, as {@link AttemptHFile}. Each attempt of a task
 * has a folder of its own; the files of the attempts that count are renamed once, when all tasks
 * have ended, and the other folders are removed. So a task may fail, or run twice at a time, and
 * each cell is there once. One thread.
 */
public final class SpreadHFiles implements Closeable {
  /** Folder of the attempts' folders, below the load's. */
  static final String ATTEMPTS = "attempts";

  private final HFileTarget target;
  private final Configuration conf;
  private final ColumnFamilyDescriptor family;
  private final FileSystem files;
  private final RegionRanges regions;
  private final byte[][] starts;
  private final List<String> notes;
  private LoadDirectory folder;
  private boolean staged;

  private SpreadHFiles(
      HFileTarget target,
      Configuration conf,
      ColumnFamilyDescriptor family,
      FileSystem files,
      LoadDirectory folder,
      byte[][] starts,
      List<String> notes) {
    this.target = target;
    this.conf = conf;
    this.family = family;
    this.files = files;
    this.folder = folder;
    this.starts = starts;
    this.regions = new RegionRanges(starts);
    this.notes = notes;
  }

  /**
   * Reads the table's regions and makes the load's folder; removes folders of loads that died.
   *
   * @param connection stays the caller's
   * @throws IOException if the table or its file system cannot be used; nothing is written then
   */
  public static SpreadHFiles open(Connection connection, HFileTarget target) throws IOException {
    Configuration conf = HFileLoad.configuration(connection);
    ColumnFamilyDescriptor family = HFileLoad.family(connection, target);
    Path parent = HFileLoad.parent(conf, target);
    FileSystem files = HFileLoad.fileSystem(conf, parent);
    List<String> notes = LoadDirectory.clean(files, parent);
    byte[][] starts = HFileLoad.startKeys(connection, TableName.valueOf(target.table()));
    LoadDirectory folder = LoadDirectory.create(files, parent);
    folder.makeFamily(target.family());
    return new SpreadHFiles(target, conf, family, files, folder, starts, List.copyOf(notes));
  }

  /** What was found of earlier loads and done about it, one sentence each. */
  public List<String> notes() {
    return notes;
  }

  /** First keys of the table's regions in rising order, the first one empty; new arrays. */
  public byte[][] regionStarts() {
    byte[][] copy = new byte[starts.length][];
    for (int i = 0; i < starts.length; i++) {
      copy[i] = starts[i].clone();
    }
    return copy;
  }

  /**
   * What the tasks need.
   *
   * @param checksums whether files are read once more for their checksum, because they may be
   *     carried elsewhere
   */
  public SpreadTarget forTasks(boolean checksums) throws IOException {
    return SpreadTarget.of(folder.path().toString(), target.table(), family, conf, checksums);
  }

  /**
   * Takes the files of the attempts that count, removes all others and stages the load; when no
   * task is running any more.
   *
   * @param accepted one for each task that wrote a cell
   * @param how its {@link Staging#bulkLoad} tells whether files that an earlier run of the job has
   *     staged are removed
   */
  public void stage(List<WrittenHFile> accepted, Staging how) throws IOException {
    how.job().cellsComplete();
    List<RegionFile> all = new ArrayList<>();
    for (WrittenHFile written : accepted) {
      Path place = folder.file(target.family(), regions.regionOf(written.firstRow()), all.size());
      if (!files.rename(new Path(written.path()), place)) {
        throw new IOException("cannot rename " + written.path() + " to " + place);
      }
      folder.openToServers(place);
      all.add(written.at(place));
    }
    files.delete(new Path(folder.path(), ATTEMPTS), true);
    if (how.bulkLoad()) {
      files.delete(new Path(folder.path().getParent(), how.folder()), true);
    }
    folder = folder.stage(how, all);
    staged = true;
  }

  /** Removes the load's folder unless it is staged. */
  @Override
  public void close() throws IOException {
    if (!staged) {
      folder.close();
    }
  }
}
