package io.packhorse.loader.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.generated.GeneratedPoints;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.loader.source.generated.WorkloadHistory;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Where the points of a load come from. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LoadInput.Files.class, name = "files"),
  @JsonSubTypes.Type(value = LoadInput.Walk.class, name = "walk"),
  @JsonSubTypes.Type(value = LoadInput.Workload.class, name = "workload"),
  @JsonSubTypes.Type(value = LoadInput.Received.class, name = "received"),
  @JsonSubTypes.Type(value = LoadInput.Stored.class, name = "stored")
})
public sealed interface LoadInput {
  /** Bytes after which rejects are only counted, not written to the job's file. */
  default long rejectsBytesMax() {
    return Long.MAX_VALUE;
  }

  /**
   * Files and pipes; which ones is in {@link Manifest#inputs}.
   *
   * @param reading how they are read: formats, names, times; the content of a mapping file is part
   *     of it
   * @param budget how many rejects end the load
   * @param replaced how many points that replace others end the load; null for any number, but of
   *     many a question is asked at the end
   * @param rejectsFile absolute path of the file for rejected lines; null for the one in the job's
   *     folder
   */
  record Files(
      SourceSpec reading,
      RejectBudget budget,
      @Nullable RejectBudget replaced,
      @Nullable String rejectsFile)
      implements LoadInput {}

  /** Points that are generated. */
  sealed interface Generated extends LoadInput permits Walk, Workload {
    /** Those of this shard's series. */
    GeneratedPoints spec();
  }

  /** The reference workload. */
  record Walk(WalkSpec spec) implements Generated {}

  /** The history of a workload file. */
  record Workload(WorkloadHistory spec) implements Generated {}

  /**
   * Points that clients sent; until they are stored, they are in a log in the job's folder.
   *
   * @param reading rules for names and fields
   * @param aheadMs how much later than its arrival a point may be, milliseconds
   * @param visibleSeconds after about so long points can be read
   */
  record Received(SourceSpec reading, long aheadMs, int visibleSeconds) implements LoadInput {
    /** A client that sends nonsense all day must not fill the disk of the log. */
    @Override
    public long rejectsBytesMax() {
      return 256L << 20;
    }
  }

  /**
   * Columns that are in the store already, to be packed in place.
   *
   * @param metrics names; none for all
   * @param tags values by tag key that a series must have one of; no values for any value
   * @param fromMs start of the first hour, milliseconds since 1970
   * @param toMs end of the last hour
   * @param delete whether the old columns are deleted once the new cells are verified
   * @param queryTimeoutMs the longest that a query may take
   */
  record Stored(
      List<String> metrics,
      SortedMap<String, List<String>> tags,
      long fromMs,
      long toMs,
      boolean delete,
      long queryTimeoutMs)
      implements LoadInput {}
}
