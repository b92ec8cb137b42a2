package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.receive.LogInspection;
import io.packhorse.loader.receive.LogInspection.Found;
import io.packhorse.loader.receive.log.LogScan;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints what a receiver's log holds. */
final class ReceivedLogPrinter {
  private ReceivedLogPrinter() {}

  static void print(JobFolder.Entry job, Optional<Found> found, PrintWriter out) {
    out.println("job       " + job.manifest().id() + " is " + job.history().state());
    if (found.isEmpty()) {
      out.println("log       none: all that was received is stored");
      return;
    }
    print(found.get(), out);
  }

  private static void print(Found log, PrintWriter out) {
    for (LogScan.Segment segment : log.segments()) {
      out.printf(
          "segment   %s: %s, %s%n",
          segment.file(),
          HumanNumbers.bytes((double) segment.bytes()),
          HumanNumbers.count(segment.records(), "record", "records"));
      segment
          .unreadable()
          .ifPresent(
              at ->
                  out.printf(
                      "          byte %d on cannot be read: damaged, or being written now%n", at));
    }
    log.byFormat()
        .forEach(
            (format, bodies) ->
                out.printf(
                    "holds     %s: %s, %s, %s, %s rejected%n",
                    format,
                    HumanNumbers.count(bodies.bodies(), "body", "bodies"),
                    HumanNumbers.bytes((double) bodies.bytes()),
                    HumanNumbers.count(bodies.points(), "point", "points"),
                    HumanNumbers.count(bodies.rejected())));
    if (log.unknown() > 0) {
      out.printf(
          "unknown   %s that this version cannot read%n",
          HumanNumbers.count(log.unknown(), "record", "records"));
    }
    out.printf(
        "from      %s, %s series%n",
        HumanNumbers.count(log.clients(), "address", "addresses"),
        HumanNumbers.count(log.series()));
    print("arrived", log.arrived(), out);
    print("times", log.times(), out);
    out.printf(
        "waiting   %s after position %d, the last checkpoint%n",
        HumanNumbers.count(log.waiting(), "point", "points"), log.storedUpTo());
  }

  private static void print(String topic, LogInspection.@Nullable Span span, PrintWriter out) {
    if (span != null) {
      out.printf("%-9s %s to %s%n", topic, span.first(), span.last());
    }
  }
}
