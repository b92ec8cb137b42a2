package io.packhorse.loader.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pipeline.LoadCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What must be known of a job whose HFiles are all written, so that they can be handed over where
 * its own folder is not: {@code written.json}, kept beside them with the job's series.
 *
 * @param v version of this file, {@link #VERSION}
 * @param loaders every loader id the job may have written under
 * @param counts of the whole job
 * @param rejected lines by reason
 * @param meta whether its series are to be made known
 * @param tsuids digest of the TSUIDs that its series had, in the order of their numbers
 */
public record WrittenJob(
    int v,
    Manifest manifest,
    List<LoaderId> loaders,
    LoadCounts counts,
    Map<String, Long> rejected,
    boolean meta,
    String tsuids) {
  /** The version written and read. */
  public static final int VERSION = 1;

  /** Name of its file. */
  public static final String FILE = "written.json";

  /**
   * Reads its file.
   *
   * @throws JobException if that is damaged, or of another version
   */
  public static WrittenJob read(byte[] json) throws JobException, IOException {
    try {
      int version = new ObjectMapper().readTree(json).path("v").asInt();
      if (version != VERSION) {
        throw new JobException(
            FILE + " has version " + version + ", this Packhorse reads " + VERSION);
      }
      return new ObjectMapper().readValue(json, WrittenJob.class);
    } catch (JsonProcessingException e) {
      throw new JobException(FILE + " is damaged");
    }
  }

  void write(Path job) throws IOException {
    DurableFiles.write(job, FILE, new ObjectMapper().writeValueAsBytes(this));
  }
}
