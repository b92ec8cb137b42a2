package io.packhorse.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.packhorse.loader.load.LoadResult;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the load of a DataFrame has done. Immutable.
 *
 * @param exitCode that of {@code packhorse load}: 0, or 3 if rows were rejected, or 8 if so many
 *     points replaced others that the rows may have been misunderstood
 * @param job its name, for {@code packhorse verify --job} and {@code job rollback}
 * @param files the folder of the files that the rows were written to
 * @param result all that is known of it
 */
public record DataFrameLoaded(int exitCode, String job, Path files, LoadResult result) {
  /** Points in the store. */
  public long stored() {
    return result.outcome().counts().packed();
  }

  /** Points that later ones of the same series and time replaced. */
  public long replaced() {
    return result.outcome().counts().replaced();
  }

  /** Rows or fields that are not in the store. */
  public long rejected() {
    return result.outcome().rejected();
  }

  /** Rejected rows and fields by reason. */
  public Map<String, Long> rejectedByReason() {
    return result.rejectsByReason();
  }

  /** Where each of them is, with its file, row and reason; empty if none was. */
  public String rejectsFile() {
    return rejected() == 0 ? "" : result.rejectsFile().map(Path::toString).orElse("");
  }

  /** The result as JSON, as {@code packhorse load --json} has it under {@code result}. */
  public String json() {
    try {
      return JsonMapper.builder().build().writeValueAsString(result.json());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result must become JSON", e);
    }
  }
}
