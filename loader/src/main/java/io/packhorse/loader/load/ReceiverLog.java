package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.LedgerRecord.Checkpoint;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.receive.Intake;
import io.packhorse.loader.receive.LogInspection;
import io.packhorse.loader.receive.log.SegmentLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The log of a receiver, in the folder of its job. */
public final class ReceiverLog {
  /** A segment is freed as a whole, and to begin one takes about ten times as long as a record. */
  private static final long SEGMENT_BYTES_MAX = 64L << 20;

  /** A full log has at least so many segments, so that some of it is freed before it is empty. */
  private static final int SEGMENTS_MIN = 4;

  /** Larger bodies, once decompressed, are refused. */
  private static final long TEXT_BYTES_MAX = 256L << 20;

  private static final int QUEUED_POINTS = 1 << 20;

  private ReceiverLog() {}

  /**
   * Opens the log of a job, or creates it.
   *
   * @param bytesMax its limit
   */
  static Intake open(Job job, LoadInput.Received received, long bytesMax) throws IOException {
    return new Intake(
        SegmentLog.open(folder(job.folder()), segmentBytes(bytesMax), bytesMax),
        received.reading(),
        new Intake.Limits(TEXT_BYTES_MAX, QUEUED_POINTS, received.aheadMs()));
  }

  /** Size from which a segment of a log with this limit is closed. */
  static long segmentBytes(long bytesMax) {
    return Math.min(SEGMENT_BYTES_MAX, bytesMax / SEGMENTS_MIN);
  }

  /**
   * Reads the log of a job, and changes nothing; a receiver may be using it.
   *
   * @return empty if the job has stored everything, and so has no log
   * @throws OperationException USAGE if it is not the job of a receiver
   */
  public static Optional<LogInspection.Found> inspect(JobFolder.Entry job) throws IOException {
    if (!(job.manifest().settings().input() instanceof LoadInput.Received received)) {
      throw new OperationException(
          OperationException.Kind.USAGE,
          "Job " + job.manifest().id() + " is not the job of a receiver, so it has no log.");
    }
    Path folder = folder(job.folder());
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    Checkpoint last = job.history().checkpoints().get(0);
    return Optional.of(
        LogInspection.of(
            folder,
            received.reading(),
            received.aheadMs(),
            last == null ? 0 : last.position().offset()));
  }

  /** Bytes that the log of a job takes on disk. */
  static long bytes(Path job) throws IOException {
    Path folder = folder(job);
    if (!Files.exists(folder)) {
      return 0;
    }
    long bytes = 0;
    try (Stream<Path> segments = Files.list(folder)) {
      for (Path segment : (Iterable<Path>) segments::iterator) {
        bytes += Files.size(segment);
      }
    }
    return bytes;
  }

  /** Removes the log of a job that has stored everything. */
  static void remove(Job job) throws IOException {
    Path folder = folder(job.folder());
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> segments;
    try (Stream<Path> files = Files.list(folder)) {
      segments = files.toList();
    }
    for (Path segment : segments) {
      Files.delete(segment);
    }
    Files.delete(folder);
  }

  private static Path folder(Path job) {
    return job.resolve("received");
  }
}
