package io.packhorse.loader.load;

import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.LoadSettings;
import java.util.List;

/**
 * A load that is to begin.
 *
 * @param inputs of this shard
 * @param jobId name of its job
 * @param shard which part of the job it is
 * @param command the words that asked for it, for people to read
 * @param duplicates whether files are loaded whose content another job has loaded
 * @param newNamesMax how many new names may be assigned UIDs; job resume ignores it
 */
public record LoadRequest(
    LoadSettings settings,
    LoadInputs inputs,
    String jobId,
    JobShard shard,
    List<String> command,
    boolean duplicates,
    long newNamesMax) {

  /** The same load as another job. */
  LoadRequest withJob(String id) {
    return new LoadRequest(settings, inputs, id, shard, command, duplicates, newNamesMax);
  }
}
