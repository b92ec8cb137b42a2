package io.packhorse.loader.load;

import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.InputFiles;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Estimates what the points of inputs take, after the survey that a load makes. One thread.
 *
 * @param interval distance of points in files of two columns whose timestamps are ignored or
 *     missing, at least 1 ms
 * @param saveMapping where the mapping of the first table is written, if anywhere
 * @param announcer told how each input is read
 */
public record Estimation(
    SourceSpec spec, Optional<Duration> interval, Optional<Path> saveMapping, Announcer announcer) {
  /**
   * What was found.
   *
   * @param estimates one for each input
   */
  public record Outcome(List<Estimate.Result> estimates, InputFindings findings) {
    public Outcome {
      estimates = List.copyOf(estimates);
    }

    /** For programs. */
    public Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("files", estimates.stream().map(Estimate.Result::json).toList());
      findings.putInto(json);
      return json;
    }
  }

  /**
   * Estimates them.
   *
   * @throws InputException if an input cannot be read with the stated or detected format, or has no
   *     data points; the message says what to do
   */
  public Outcome of(InputFiles.Selection selection) throws IOException, InterruptedException {
    LoadInputs inputs =
        InputSurvey.of(
            selection,
            spec,
            InputSurvey.Accepted.WITH_WARNINGS,
            saveMapping,
            others -> new EstimateFormats(others, spec, interval),
            announcer);
    List<Estimate.Result> estimates = new ArrayList<>();
    Map<String, InputReading> readings = new LinkedHashMap<>();
    for (Input input : inputs.all()) {
      SeriesNames names = new SeriesNames();
      Rejects rejects = Rejects.counted();
      AnnouncingFormats formats =
          new AnnouncingFormats(
              new EstimateFormats(new Formats(spec, names), spec, interval),
              readings.isEmpty() ? saveMapping : Optional.empty(),
              announcer);
      estimates.add(Estimate.of(input, formats, names, new Points(spec.rules(), rejects), rejects));
      formats.readings().forEach(each -> readings.putIfAbsent(each.description(), each));
    }
    return new Outcome(
        estimates, new InputFindings(List.copyOf(readings.values()), inputs.notes()));
  }
}
