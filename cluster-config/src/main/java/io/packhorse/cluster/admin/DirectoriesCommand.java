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

/** {@code directories}: what HBase and the loader need in HDFS before they start. */
@Command(
    name = "directories",
    mixinStandardHelpOptions = true,
    description = "Makes the directories of HBase and of the loader in HDFS; run as user hdfs.")
final class DirectoriesCommand implements Callable<Integer> {
  private static final List<Wanted> WANTED =
      List.of(
          new Wanted("/hbase", "hbase", 0755),
          new Wanted("/user", "hdfs", 0755),
          new Wanted("/user/packhorse", "packhorse", 0755),
          new Wanted("/user/packhorse/hbase-staging", "packhorse", 0755));

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  private record Wanted(String path, String owner, int mode) {}

  @Override
  public Integer call() throws IOException {
    boolean changed = false;
    try (FileSystem files = FileSystem.get(HBase.configuration())) {
      for (Wanted wanted : WANTED) {
        changed |= make(files, wanted);
      }
    }
    spec.commandLine().getOut().println(changed ? "changed" : "unchanged");
    return 0;
  }

  private static boolean make(FileSystem files, Wanted wanted) throws IOException {
    Path path = new Path(wanted.path());
    boolean changed = false;
    if (!files.exists(path)) {
      files.mkdirs(path);
      files.setPermission(path, new FsPermission((short) wanted.mode()));
      changed = true;
    }
    FileStatus status = files.getFileStatus(path);
    if (!status.getOwner().equals(wanted.owner())) {
      files.setOwner(path, wanted.owner(), "hadoop");
      changed = true;
    }
    return changed;
  }
}
