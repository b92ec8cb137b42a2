package io.packhorse.loader.sink.hfile;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The folder of one load on the table's file system, named after the process that owns it, so that
 * the next load on the same machine can tell a dead owner's and remove it. Any number of threads.
 */
final class JobFolder implements Closeable {
  private static final Pattern NAME = Pattern.compile("job_(\\d+)_(\\d+)_[0-9a-f]+_(.+)");

  /** The operating system tells a process's start with less than this of error. */
  private static final long START_TOLERANCE_MS = 2_000;

  private final FileSystem files;
  private final Path folder;

  private JobFolder(FileSystem files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  /**
   * Makes a folder of our own.
   *
   * @param parent of all such folders; made if missing
   * @throws IOException if it cannot be made; the message says where and why
   */
  static JobFolder create(FileSystem files, Path parent) throws IOException {
    ProcessHandle us = ProcessHandle.current();
    String unique = UUID.randomUUID().toString().substring(0, 8);
    Path folder =
        new Path(parent, "job_" + us.pid() + "_" + startMs(us) + "_" + unique + "_" + host());
    try {
      if (!files.mkdirs(folder)) {
        throw new IOException("the file system refuses to make it");
      }
      return new JobFolder(files, folder);
    } catch (IOException e) {
      throw FailedStep.of("cannot make the folder for HFiles " + folder, e);
    }
  }

  /**
   * Removes the folders of loads of this machine whose process has ended.
   *
   * @return what was done and what was left to others, one sentence each
   */
  static List<String> clean(FileSystem files, Path parent) throws IOException {
    List<String> said = new ArrayList<>();
    for (FileStatus found : list(files, parent)) {
      Matcher name = NAME.matcher(found.getPath().getName());
      if (!name.matches()) {
        continue;
      }
      if (!name.group(3).equals(host())) {
        said.add(
            found.getPath()
                + " belongs to a load of machine "
                + name.group(3)
                + "; remove it if no load runs there");
      } else if (!isAlive(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)))) {
        files.delete(found.getPath(), true);
        said.add("removed what a load that was cut off had left in " + found.getPath());
      }
    }
    return said;
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

  /** Makes the folder of a family, open to the user that HBase's servers run as. */
  void makeFamily(String family) throws IOException {
    Path path = new Path(folder, family);
    try {
      files.mkdirs(path);
      if (!path.toUri().getScheme().equals("file")) {
        // Servers move the files out of it: the setting that bulk loads fail for most often.
        FsPermission all = new FsPermission((short) 0777);
        files.setPermission(folder, all);
        files.setPermission(path, all);
      }
    } catch (IOException e) {
      throw FailedStep.of("cannot make the folder for HFiles " + path, e);
    }
  }

  /**
   * Renames the folder, so that it outlives its owner; the files in it are complete.
   *
   * @param name none that {@link #clean} looks for
   */
  JobFolder keepAs(String name) throws IOException {
    Path kept = new Path(folder.getParent(), name);
    // Over a folder that is there some file systems move it into that one.
    if (files.exists(kept) || !files.rename(folder, kept)) {
      throw new IOException("cannot rename " + folder + " to " + kept);
    }
    return new JobFolder(files, kept);
  }

  /** Lets HBase's servers take a file over. */
  void release(Path file) throws IOException {
    if (!file.toUri().getScheme().equals("file")) {
      files.setPermission(file, new FsPermission((short) 0666));
    }
  }

  Path path() {
    return folder;
  }

  /** Removes the folder with what is still in it. */
  @Override
  public void close() throws IOException {
    files.delete(folder, true);
  }
}
