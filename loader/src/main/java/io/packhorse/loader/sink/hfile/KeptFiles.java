package io.packhorse.loader.sink.hfile;

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

/**
 * A folder of HFiles that a load has written and kept, with their list and what its caller has put
 * beside them. All methods may be repeated, by this process or the next one.
 */
public final class KeptFiles {
  private final Connection connection;
  private final Configuration conf;
  private final HFileTarget target;
  private final FileSystem files;
  private final Path folder;

  private KeptFiles(
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
   * Those of a load that was to hand them over itself.
   *
   * @param connection stays the caller's
   * @param name as in {@link HFileLoad.Keeping#name}
   */
  public static KeptFiles named(Connection connection, HFileTarget target, String name)
      throws IOException {
    Configuration conf = HFileLoad.configuration(connection);
    return in(connection, target, new Path(HFileLoad.parent(conf, target), name));
  }

  /** Those in a folder, wherever it is. */
  public static KeptFiles in(Connection connection, HFileTarget target, URI folder)
      throws IOException {
    return in(connection, target, new Path(folder));
  }

  private static KeptFiles in(Connection connection, HFileTarget target, Path folder)
      throws IOException {
    Configuration conf = HFileLoad.configuration(connection);
    return new KeptFiles(connection, conf, target, HFileLoad.fileSystem(conf, folder), folder);
  }

  /** Whether there is such a folder, and all files were written. */
  public boolean exist() throws IOException {
    return files.exists(new Path(folder, FileList.NAME));
  }

  /** Whether anything lies in the folder's place. */
  public boolean isTaken() throws IOException {
    return files.exists(folder);
  }

  /** Copies a file that was put beside the HFiles to a local one, if there is one. */
  public void fetch(String name, java.nio.file.Path to) throws IOException {
    Path file = new Path(folder, name);
    if (files.exists(file)) {
      try (InputStream in = files.open(file)) {
        long unused = Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /**
   * What is wrong with the files, one sentence each; empty if they can be handed over. Looks for
   * names, lengths and checksums. A file that is gone was handed over if its last row can be read.
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
          problems.add(file.path() + " is damaged: its checksum differs");
        }
      } catch (FileNotFoundException e) {
        gone.add(file);
      }
    }
    for (FileStatus there : list(new Path(folder, target.family()))) {
      if (there.isFile() && !listed.contains(there.getPath().getName())) {
        problems.add(there.getPath() + " is not on the list");
      }
    }
    load().unreadable(gone).forEach(file -> problems.add(file.path() + " is missing"));
    return problems;
  }

  private FileStatus[] list(Path path) throws IOException {
    try {
      return files.listStatus(path);
    } catch (FileNotFoundException allHandedOver) {
      return new FileStatus[0];
    }
  }

  /** Whether they lie on the table's file system, where HBase takes them without copying. */
  public boolean areAtTable() throws IOException {
    URI here = files.getUri();
    URI table = tableFiles().getUri();
    return Objects.equals(here.getScheme(), table.getScheme())
        && Objects.equals(here.getAuthority(), table.getAuthority());
  }

  private FileSystem tableFiles() throws IOException {
    return HFileLoad.fileSystem(conf, HFileLoad.parent(conf, target));
  }

  /**
   * Copies them to the table's file system, if that was not done before.
   *
   * @param name of the copy's folder, among those of all loads
   * @throws IOException if they cannot be copied, or the table's file system is not known
   */
  public KeptFiles copyToTable(String name) throws IOException {
    Path parent = HFileLoad.parent(conf, target);
    FileSystem to = tableFiles();
    KeptFiles copy = new KeptFiles(connection, conf, target, to, new Path(parent, name));
    if (!copy.exist()) {
      List<String> unused = JobFolder.clean(to, parent);
      JobFolder unfinished = JobFolder.create(to, parent);
      try {
        copyTo(to, unfinished);
        JobFolder kept = unfinished.keepAs(name);
        return new KeptFiles(connection, conf, target, to, kept.path());
      } catch (IOException e) {
        unfinished.close();
        throw FailedStep.of("cannot copy " + this + " to " + copy, e);
      }
    }
    return copy;
  }

  private void copyTo(FileSystem to, JobFolder into) throws IOException {
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
        into.release(copied.path());
      }
    }
    FileList.write(to, into.path(), all.stream().map(file -> file.in(into.path())).toList());
  }

  /** How many of the files lie in several regions by now; HBase's loader splits them. */
  public int toSplit() throws IOException {
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
   * Hands over the files that HBase does not have yet.
   *
   * @return points of all files, now readable
   * @throws IOException if a file cannot be loaded, or cannot be read afterwards
   */
  public long handOver() throws IOException {
    return load().run(FileList.read(files, folder));
  }

  private RegionLoad load() throws IOException {
    return new RegionLoad(
        connection,
        conf,
        files,
        TableName.valueOf(target.table()),
        HFileLoad.family(connection, target));
  }

  /** Removes the folder with all that is in it. */
  public void delete() throws IOException {
    files.delete(folder, true);
  }

  /** Where they are. */
  @Override
  public String toString() {
    return folder.toUri().getScheme() == null || folder.toUri().getScheme().equals("file")
        ? folder.toUri().getPath()
        : folder.toString();
  }
}
