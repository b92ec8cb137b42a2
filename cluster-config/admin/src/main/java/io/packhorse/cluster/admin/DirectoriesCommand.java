package io.packhorse.cluster.admin;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code directories}: creates what HBase and the loader need in HDFS before they start. */
@Command(
    name = "directories",
    mixinStandardHelpOptions = true,
    description = "Creates the directories of HBase and the loader in HDFS; run as user hdfs.")
final class DirectoriesCommand implements Callable<Integer> {
  private static final List<Directory> REQUIRED =
      List.of(
          new Directory("/hbase", "hbase", 0755),
          new Directory("/user", "hdfs", 0755),
          new Directory("/user/packhorse", "packhorse", 0755),
          new Directory("/user/packhorse/hbase-staging", "packhorse", 0755));

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  private record Directory(String path, String owner, int mode) {}

  @Override
  public Integer call() throws IOException {
    boolean changed = false;
    try (FileSystem files = FileSystem.get(HBaseClient.configuration())) {
      for (Directory directory : REQUIRED) {
        changed |= create(files, directory);
      }
    }
    spec.commandLine().getOut().println(changed ? "changed" : "unchanged");
    return 0;
  }

  private static boolean create(FileSystem files, Directory directory) throws IOException {
    Path path = new Path(directory.path());
    boolean changed = false;
    if (!files.exists(path)) {
      files.mkdirs(path);
      files.setPermission(path, new FsPermission((short) directory.mode()));
      changed = true;
    }
    FileStatus status = files.getFileStatus(path);
    if (!status.getOwner().equals(directory.owner())) {
      files.setOwner(path, directory.owner(), "hadoop");
      changed = true;
    }
    return changed;
  }
}
