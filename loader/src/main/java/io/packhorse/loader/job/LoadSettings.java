package io.packhorse.loader.job;

import com.fasterxml.jackson.core.type.TypeReference;
import io.packhorse.loader.cell.CellForm;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Everything that describes a load but its store, its name and the list of its files. The manifest
 * of a job keeps it as JSON; resuming, verifying and replacing a job read it from there.
 *
 * @param threads that pack, 1 or more; of generated points also the number of slices
 * @param seriesMeta whether loaded series are written to {@code tsdb-meta}
 * @param checkpointMs least time between checkpoints, milliseconds
 * @param metricsPort where Prometheus is answered while the load runs, 0 for any free port; null
 *     for nowhere
 * @param replaces the job whose cells are deleted once this load is in the store; null for none
 */
public record LoadSettings(
    LoadInput input,
    LoadOutput output,
    CellForm cells,
    int threads,
    boolean seriesMeta,
    long checkpointMs,
    @Nullable Integer metricsPort,
    @Nullable String replaces) {

  /** As {@link #checkpointMs}. */
  public Duration checkpointInterval() {
    return Duration.ofMillis(checkpointMs);
  }

  /** As {@link #metricsPort}. */
  public OptionalInt portOfMetrics() {
    return metricsPort == null ? OptionalInt.empty() : OptionalInt.of(metricsPort);
  }

  /** The directory HFiles stay in, if they are not bulk-loaded. */
  public Optional<URI> stage() {
    return output instanceof LoadOutput.HFiles files
        ? Optional.ofNullable(files.stage())
        : Optional.empty();
  }

  /** The same load with any number of rejects and no metrics, to be read again and compared. */
  public LoadSettings withoutLimits() {
    LoadInput unlimited =
        input instanceof LoadInput.Files files
            ? new LoadInput.Files(files.reading(), RejectBudget.UNLIMITED, null, null)
            : input;
    return new LoadSettings(
        unlimited, output, cells, threads, seriesMeta, checkpointMs, null, null);
  }

  /**
   * The same load with other limits; of generated points, unchanged.
   *
   * @param rejected of rejected lines, if it changes
   * @param replaced of replaced points, if it changes
   */
  public LoadSettings with(Optional<RejectBudget> rejected, Optional<RejectBudget> replaced) {
    LoadInput limited =
        input instanceof LoadInput.Files files
            ? new LoadInput.Files(
                files.reading(),
                rejected.orElse(files.budget()),
                replaced.orElse(files.replaced()),
                files.rejectsFile())
            : input;
    return new LoadSettings(
        limited, output, cells, threads, seriesMeta, checkpointMs, metricsPort, replaces);
  }

  /** As the manifest keeps them, for a process that does a part of the load. */
  public String text() throws IOException {
    return JobJson.MAPPER.writeValueAsString(this);
  }

  /**
   * Reads what {@link #text} gave.
   *
   * @throws IOException if it is something else
   */
  public static LoadSettings parse(String text) throws IOException {
    return JobJson.MAPPER.readValue(text, LoadSettings.class);
  }

  /** As the manifest keeps them, for programs. */
  public Map<String, Object> json() {
    return JobJson.MAPPER.convertValue(this, new TypeReference<>() {});
  }
}
