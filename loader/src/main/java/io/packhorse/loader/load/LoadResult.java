package io.packhorse.loader.load;

import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a finished load has done.
 *
 * @param asksAboutReplaced whether so many points were replaced, without a limit that allows it,
 *     that the input may have been misunderstood
 * @param findings what was understood of the inputs
 * @param leftOut points that were read and not asked for, or whose value is a word for a missing
 *     one
 * @param rejectsByReason rejected lines of the whole job
 * @param rejectsFile where they are; empty if the load cannot have any
 * @param firstRejects a few of this run, each a line for people
 * @param job its name; empty if nothing was stored
 * @param stage the directory its HFiles stay in; empty if they are in the store
 */
public record LoadResult(
    LoadOutcome outcome,
    boolean asksAboutReplaced,
    InputFindings findings,
    long leftOut,
    Map<String, Long> rejectsByReason,
    Optional<Path> rejectsFile,
    List<String> firstRejects,
    Optional<String> job,
    Optional<URI> stage) {
  /** For programs, and for the job's {@code result.json}. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>(outcome.json());
    findings.putInto(json);
    json.put("rejected_by_reason", rejectsByReason);
    if (outcome.rejected() > 0) {
      rejectsFile.ifPresent(file -> json.put("rejects_file", file.toString()));
    }
    json.put("left_out", leftOut);
    job.ifPresent(id -> json.put("job", id));
    stage.ifPresent(folder -> json.put("stage", folder.toString()));
    return json;
  }
}
