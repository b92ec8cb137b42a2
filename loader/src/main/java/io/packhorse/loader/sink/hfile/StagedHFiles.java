package io.packhorse.loader.sink.hfile;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;

/**
 * A folder of staged HFiles: all files of a load, written and not yet bulk-loaded, their list, and
 * the files that describe the load. All methods may be repeated, also by another process. One
 * thread.
 */
public final class StagedHFiles {
  private final Connection connection;
  private final Configuration conf;
  private final HFileTarget target;
  private final FileSystem files;
  private final Path folder;

  private StagedHFiles(
      Connection connection,
      Configuration conf,
      HFileTarget target,
      FileSystem files,
      Path folder) {
    this.connection = connection;
    this.conf = conf;
    this.target = target;
    this.files = files;
    this.folder = folder;
  }

  /**
   * Files of a load that was to bulk-load them itself.
   *
   * @param connection stays the caller's
   * @param name as in {@link Staging#folder}
   */
  public static StagedHFiles named(Connection connection, HFileTarget target, String name)
      throws IOException {
    Configuration conf = HFileLoad.configuration(connection);
    return in(connection, target, new Path(HFileLoad.parent(conf, target), name));
  }

  /** Files in any folder. */
  public static StagedHFiles in(Connection connection, HFileTarget target, URI folder)
      throws IOException {
    return in(connection, target, new Path(folder));
  }

  private static StagedHFiles in(Connection connection, HFileTarget target, Path folder)
      throws IOException {
    Configuration conf = HFileLoad.configuration(connection);
    return new StagedHFiles(connection, conf, target, HFileLoad.fileSystem(conf, folder), folder);
  }

  /** Whether the folder exists and is complete. */
  public boolean exist() throws IOException {
    return files.exists(new Path(folder, FileList.NAME));
  }

  /** Whether the folder exists, complete or not. */
  public boolean folderExists() throws IOException {
    return files.exists(folder);
  }

  /** Copies a file that lies beside the HFiles to a local one; does nothing if it is missing. */
  public void fetch(String name, java.nio.file.Path to) throws IOException {
    Path file = new Path(folder, name);
    if (files.exists(file)) {
      try (InputStream in = files.open(file)) {
        Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /**
   * Checks names, lengths and checksums of the files. A file that is gone counts as bulk-loaded if
   * its last row can be read from the table.
   *
   * @return what is wrong, one sentence each; empty if the files can be bulk-loaded
   */
  public List<String> problems() throws IOException {
    List<String> problems = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    List<RegionFile> gone = new ArrayList<>();
    for (RegionFile file : FileList.read(files, folder)) {
      listed.add(file.path().getName());
      try {
        long bytes = files.getFileStatus(file.path()).getLen();
        if (bytes != file.bytes()) {
          problems.add(file.path() + " has " + bytes + " bytes, not " + file.bytes());
        } else if (file.crc32c().isPresent()
            && !FileChecksum.of(files, file.path()).equals(file.crc32c().get())) {
          problems.add(file.path() + " is damaged: its checksum differs from the list");
        }
      } catch (FileNotFoundException e) {
        gone.add(file);
      }
    }
    for (FileStatus there : list(new Path(folder, target.family()))) {
      if (there.isFile() && !listed.contains(there.getPath().getName())) {
        problems.add(there.getPath() + " is not on the list of staged files");
      }
    }
    newBulkLoad()
        .unreadable(gone)
        .forEach(
            file -> problems.add(file.path() + " is missing, and its points are not in the table"));
    return problems;
  }

  private FileStatus[] list(Path path) throws IOException {
    try {
      return files.listStatus(path);
    } catch (FileNotFoundException allBulkLoaded) {
      return new FileStatus[0];
    }
  }

  /** Whether they lie on the table's file system, where HBase moves them without copying. */
  public boolean onTableFileSystem() throws IOException {
    URI here = files.getUri();
    URI table = tableFiles().getUri();
    return Objects.equals(here.getScheme(), table.getScheme())
        && Objects.equals(here.getAuthority(), table.getAuthority());
  }

  private FileSystem tableFiles() throws IOException {
    return HFileLoad.fileSystem(conf, HFileLoad.parent(conf, target));
  }

  /**
   * Copies them to the table's file system, if no copy is there yet.
   *
   * @param name of the copy's folder
   * @throws IOException if they cannot be copied, or the table's file system is not known
   */
  public StagedHFiles copyToTable(String name) throws IOException {
    Path parent = HFileLoad.parent(conf, target);
    FileSystem to = tableFiles();
    StagedHFiles copy = new StagedHFiles(connection, conf, target, to, new Path(parent, name));
    if (!copy.exist()) {
      LoadDirectory.clean(to, parent);
      LoadDirectory unfinished = LoadDirectory.create(to, parent);
      try {
        copyTo(to, unfinished);
        LoadDirectory staged = unfinished.renameTo(name);
        return new StagedHFiles(connection, conf, target, to, staged.path());
      } catch (IOException e) {
        unfinished.close();
        throw StepFailure.of("cannot copy " + this + " to " + copy, e);
      }
    }
    return copy;
  }

  private void copyTo(FileSystem to, LoadDirectory into) throws IOException {
    into.makeFamily(target.family());
    List<RegionFile> all = FileList.read(files, folder);
    for (RegionFile file : all) {
      if (files.exists(file.path())) {
        RegionFile copied = file.in(into.path());
        try (FSDataOutputStream out = to.create(copied.path())) {
          if (!FileChecksum.copy(files, file.path(), out).equals(file.crc32c().orElse(""))) {
            throw new IOException(file.path() + " is damaged: its checksum differs");
          }
        }
        into.openToServers(copied.path());
      }
    }
    FileList.write(to, into.path(), all.stream().map(file -> file.in(into.path())).toList());
  }

  /** Number of files that lie in several regions by now, which HBase's bulk load will split. */
  public int filesToSplit() throws IOException {
    RegionRanges regions = HFileLoad.currentRegions(connection, TableName.valueOf(target.table()));
    int split = 0;
    for (RegionFile file : FileList.read(files, folder)) {
      if (regions.regionOf(file.firstRow()) != regions.regionOf(file.lastRow())) {
        split++;
      }
    }
    return split;
  }

  /**
   * Bulk-loads the files that HBase does not have yet.
   *
   * @return points of all files, which can be read now
   * @throws IOException if a file cannot be bulk-loaded, or not be read afterwards
   */
  @CanIgnoreReturnValue
  public long bulkLoad() throws IOException {
    return newBulkLoad().run(FileList.read(files, folder));
  }

  private BulkLoad newBulkLoad() throws IOException {
    return new BulkLoad(
        connection,
        BulkLoadHFiles.create(conf),
        files,
        TableName.valueOf(target.table()),
        HFileLoad.family(connection, target));
  }

  /** Removes the folder and everything in it. */
  public void delete() throws IOException {
    files.delete(folder, true);
  }

  /** The folder, as a path if it is local. */
  @Override
  public String toString() {
    return folder.toUri().getScheme() == null || folder.toUri().getScheme().equals("file")
        ? folder.toUri().getPath()
        : folder.toString();
  }
}
