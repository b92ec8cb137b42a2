package io.packhorse.loader.load;

import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;

/** The points of one run of a load, on their way into a pipeline. Used once. */
sealed interface PointFeed permits FileFeed, GeneratedFeed, LogFeed {
  /** Gives the pipeline all points, or as many as it takes before it is stopped. */
  void run(LoadPipeline pipeline, SeriesResolver resolver, Destination destination)
      throws IOException, InterruptedException;

  /** Whether Ctrl-C stops the load; if not, someone else ends its input then. */
  default boolean isStoppedByInterrupt() {
    return true;
  }

  /** What was understood of the inputs. Any thread. */
  default InputFindings findings() {
    return InputFindings.NONE;
  }

  /**
   * Points that clients have sent in this run, stored or not; empty if no client sends any. Any
   * thread.
   */
  default OptionalLong taken() {
    return OptionalLong.empty();
  }

  /** Series met so far; a resumed job's from the beginning. */
  SeriesNames names();

  /** Time of the newest point of each series. */
  LastTimes times();

  /** Lines rejected so far, those of earlier runs of the job included. Any thread. */
  long rejected();

  /**
   * Brings rejected lines to their file; on the thread that reads, or when it has ended.
   *
   * @return lines by reason, those of earlier runs of the job included
   */
  Map<String, Long> flushRejects() throws IOException;

  /**
   * The share of the input that is loaded, 0 to 1; negative if unknown. Any thread.
   *
   * @param counts so far
   * @param loaded points that count as loaded
   */
  double share(LoadCounts counts, long loaded);

  /** The share of the input that is read, 0 to 1; negative if unknown. Any thread. */
  double shareRead();
}
