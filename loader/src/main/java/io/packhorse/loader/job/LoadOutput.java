package io.packhorse.loader.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.packhorse.loader.sink.PutDurability;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Where the cells of a load go. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LoadOutput.Puts.class, name = "puts"),
  @JsonSubTypes.Type(value = LoadOutput.HFiles.class, name = "hfiles"),
  @JsonSubTypes.Type(value = LoadOutput.Nowhere.class, name = "null")
})
public sealed interface LoadOutput {
  /**
   * Puts into HBase.
   *
   * @param pointsPerSecond most points stored in a second; 0 for no limit
   */
  record Puts(PutDurability durability, long pointsPerSecond) implements LoadOutput {
    @Override
    public String toString() {
      return "Puts";
    }
  }

  /**
   * HFiles, written beside HBase and bulk-loaded at the end.
   *
   * @param stage the new directory they stay in instead, to be bulk-loaded by another command; null
   *     to bulk-load them
   */
  record HFiles(@Nullable URI stage) implements LoadOutput {
    @Override
    public String toString() {
      return "HFiles" + (stage == null ? "" : " staged in " + stage);
    }
  }

  /** Nothing is stored: measures reading and packing. */
  record Nowhere() implements LoadOutput {
    @Override
    public String toString() {
      return "null sink";
    }
  }
}
