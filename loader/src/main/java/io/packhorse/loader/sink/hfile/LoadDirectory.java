package io.packhorse.loader.sink.hfile;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The folder of one load on the table's file system. Its name holds the process that owns it, so
 * that the next load on the same machine can remove it if that process is dead. Any number of
 * threads.
 */
final class LoadDirectory implements Closeable {
  private static final Pattern NAME = Pattern.compile("job_(\\d+)_(\\d+)_[0-9a-f]+_(.+)");

  /** Error of a process's start time as the operating system tells it. */
  private static final long START_TOLERANCE_MS = 2_000;

  private final FileSystem files;
  private final Path folder;

  private LoadDirectory(FileSystem files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  /**
   * Makes a folder for this process.
   *
   * @param parent of all such folders; made if missing
   * @throws IOException if it cannot be made, with where and why
   */
  static LoadDirectory create(FileSystem files, Path parent) throws IOException {
    ProcessHandle us = ProcessHandle.current();
    String unique = UUID.randomUUID().toString().substring(0, 8);
    Path folder =
        new Path(parent, "job_" + us.pid() + "_" + startMs(us) + "_" + unique + "_" + host());
    try {
      if (!files.mkdirs(folder)) {
        throw new IOException("the file system refused");
      }
      return new LoadDirectory(files, folder);
    } catch (IOException e) {
      throw StepFailure.of("cannot make the folder for HFiles " + folder, e);
    }
  }

  /**
   * Removes the folders of loads on this machine whose process has ended.
   *
   * @return what was removed and what the user should check, one sentence each
   */
  @CanIgnoreReturnValue
  static List<String> clean(FileSystem files, Path parent) throws IOException {
    List<String> notes = new ArrayList<>();
    for (FileStatus found : list(files, parent)) {
      Matcher name = NAME.matcher(found.getPath().getName());
      if (!name.matches()) {
        continue;
      }
      if (!name.group(3).equals(host())) {
        notes.add(
            found.getPath()
                + " belongs to a load on machine "
                + name.group(3)
                + "; remove it if no load is running there");
      } else if (!isAlive(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)))) {
        files.delete(found.getPath(), true);
        notes.add("removed " + found.getPath() + ", which an interrupted load left behind");
      }
    }
    return notes;
  }

  private static FileStatus[] list(FileSystem files, Path parent) throws IOException {
    try {
      return files.listStatus(parent);
    } catch (FileNotFoundException noneYet) {
      return new FileStatus[0];
    }
  }

  private static boolean isAlive(long pid, long startMs) {
    Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    return process.isPresent() && Math.abs(startMs(process.get()) - startMs) <= START_TOLERANCE_MS;
  }

  private static long startMs(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** Path of the {@code number}-th HFile of a region in this folder. */
  Path file(String family, int region, int number) {
    return new Path(new Path(folder, family), "region-" + region + "-" + number);
  }

  /** Makes the folder of a family, writable for the user that HBase's servers run as. */
  void makeFamily(String family) throws IOException {
    Path path = new Path(folder, family);
    try {
      files.mkdirs(path);
      if (!path.toUri().getScheme().equals("file")) {
        // HBase's servers move files out of it; missing permission is why most bulk loads fail.
        FsPermission all = new FsPermission((short) 0777);
        files.setPermission(folder, all);
        files.setPermission(path, all);
      }
    } catch (IOException e) {
      throw StepFailure.of("cannot make the folder for HFiles " + path, e);
    }
  }

  /**
   * Renames the folder once its files are complete, so that it outlives its process.
   *
   * @param name not one that {@link #clean} removes
   */
  LoadDirectory renameTo(String name) throws IOException {
    Path target = new Path(folder.getParent(), name);
    // If the target exists, some file systems move the folder into it.
    if (files.exists(target) || !files.rename(folder, target)) {
      throw new IOException("cannot rename " + folder + " to " + target);
    }
    return new LoadDirectory(files, target);
  }

  /**
   * Stages the folder: adds the list of its files and what the job says of itself, and renames it.
   *
   * @param written all of its HFiles
   * @return the folder under the name that it has now
   */
  LoadDirectory stage(Staging how, List<RegionFile> written) throws IOException {
    FileList.write(files, folder, written);
    for (java.nio.file.Path description : how.job().describe()) {
      copyIn(description);
    }
    LoadDirectory staged = renameTo(how.folder());
    how.job().staged();
    return staged;
  }

  private void copyIn(java.nio.file.Path local) throws IOException {
    Path path = new Path(folder, String.valueOf(local.getFileName()));
    try (FSDataOutputStream out = files.create(path)) {
      Files.copy(local, out);
      out.hsync();
    }
  }

  /** Lets HBase's servers move and own a file. */
  void openToServers(Path file) throws IOException {
    if (!file.toUri().getScheme().equals("file")) {
      files.setPermission(file, new FsPermission((short) 0666));
    }
  }

  Path path() {
    return folder;
  }

  /** Removes the folder and everything in it. */
  @Override
  public void close() throws IOException {
    files.delete(folder, true);
  }
}
