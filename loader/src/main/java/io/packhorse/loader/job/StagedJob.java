package io.packhorse.loader.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pipeline.LoadCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Describes a job whose HFiles are staged, so that they can be bulk-loaded where the job's own
 * folder is not: {@code staged.json}, which lies beside them with the job's series.
 *
 * @param v version of this file, {@link #VERSION}
 * @param loaders every loader id the job may have written under
 * @param counts of the whole job
 * @param rejected lines by reason
 * @param seriesMeta whether its series are written to {@code tsdb-meta}
 * @param tsuids digest of the TSUIDs that its series had, in the order of their numbers
 */
public record StagedJob(
    int v,
    Manifest manifest,
    List<LoaderId> loaders,
    LoadCounts counts,
    Map<String, Long> rejected,
    boolean seriesMeta,
    String tsuids) {
  /** The version written and read. */
  public static final int VERSION = 2;

  /** Name of its file. */
  public static final String FILE = "staged.json";

  /**
   * Reads its file.
   *
   * @throws JobException if that is damaged, or of another version
   */
  public static StagedJob read(byte[] json) throws JobException, IOException {
    try {
      JsonNode tree = JobJson.MAPPER.readTree(json);
      Manifest.checkVersion(tree, tree.path("manifest").path("software"), VERSION, FILE);
      return JobJson.MAPPER.treeToValue(tree, StagedJob.class);
    } catch (JsonProcessingException e) {
      throw new JobException(FILE + " is damaged");
    }
  }

  void write(Path job) throws IOException {
    DurableFiles.write(job, FILE, JobJson.MAPPER.writeValueAsBytes(this));
  }
}
