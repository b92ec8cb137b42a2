package io.packhorse.loader.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.source.SourcePosition;
import java.util.List;
import java.util.Map;

/** One line of a ledger. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "record")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LedgerRecord.Loader.class, name = "loader"),
  @JsonSubTypes.Type(value = LedgerRecord.Checkpoint.class, name = "checkpoint"),
  @JsonSubTypes.Type(value = LedgerRecord.Reached.class, name = "state")
})
public sealed interface LedgerRecord {
  /**
   * A loader id that the job may have written under.
   *
   * @param stampMs timestamp of its cells
   */
  record Loader(int id, long stampMs) implements LedgerRecord {}

  /**
   * Everything before a position is in the store or in the open hours.
   *
   * @param slice of a generated load, else 0
   * @param position of the first point that is in neither
   * @param counts of the slice since the job began; those read include the open hours
   * @param rejected lines by reason
   * @param rejectsBytes length of the rejects file
   * @param seriesBytes length of the file of series names, whose lines number the series
   * @param seriesCrc32c checksum of so much of it
   * @param hours files with the open hours, in the order of their points' arrival
   */
  record Checkpoint(
      int slice,
      SourcePosition position,
      LoadCounts counts,
      Map<String, Long> rejected,
      long rejectsBytes,
      long seriesBytes,
      int seriesCrc32c,
      List<Hours> hours)
      implements LedgerRecord {}

  /**
   * A file with open hours.
   *
   * @param file its name in the job's folder
   * @param crc32c checksum of it
   */
  record Hours(String file, int crc32c) {}

  /**
   * The job has come to a state.
   *
   * @param counts of the whole job
   * @param rejected lines by reason
   */
  record Reached(JobState state, LoadCounts counts, Map<String, Long> rejected)
      implements LedgerRecord {}
}
