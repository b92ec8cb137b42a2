package io.packhorse.loader.job;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shards of one job whose locks this process holds.
 *
 * @param jobs at least one; closed with this object
 */
public record JobShards(List<Job> jobs) implements Closeable {
  /**
   * Takes them over, all or none.
   *
   * @param only one of them, or all if empty
   * @throws JobException if there is no such job, or another process works on a shard
   */
  public static JobShards open(JobFolder folder, String id, Optional<JobShard> only)
      throws JobException, IOException {
    List<Job> opened = new ArrayList<>();
    try {
      for (JobFolder.Entry entry : folder.shards(id, only)) {
        opened.add(folder.open(id, entry.manifest().part()));
      }
      return new JobShards(List.copyOf(opened));
    } catch (JobException | RuntimeException | Error e) {
      new JobShards(opened).close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    IOException failed = null;
    for (Job job : jobs) {
      try {
        job.close();
      } catch (IOException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
