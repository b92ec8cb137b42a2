package io.packhorse.loader.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.walk.WalkSpec;
import org.jspecify.annotations.Nullable;

/** Where the points of a load come from. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LoadInput.Files.class, name = "files"),
  @JsonSubTypes.Type(value = LoadInput.Walk.class, name = "walk"),
  @JsonSubTypes.Type(value = LoadInput.Received.class, name = "received")
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

  /**
   * Generated points.
   *
   * @param spec of this shard's series
   */
  record Walk(WalkSpec spec) implements LoadInput {}

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
}
