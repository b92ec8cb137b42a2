package io.packhorse.loader.loadtest;

import io.packhorse.loader.source.generated.WorkloadHistory;
import io.packhorse.loader.source.generated.WorkloadSeries;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The queries of a reader, each with its check. Any number of threads. */
record Reads(
    Workload workload,
    Schedule schedule,
    Reader reader,
    HttpTarget target,
    Acknowledged acknowledged,
    Check check,
    Findings findings)
    implements OpenLoop.Calls {
  @Override
  public OpenLoop.Call prepare(long number) {
    return new OpenLoop.Call() {
      @Override
      public int units() {
        return 1;
      }

      @Override
      public void send(Consumer<String> answered) throws InterruptedException {
        answered.accept(ask(new SplittableRandom(workload.seed() * 31 + number)));
      }

      @Override
      public void ended(boolean acknowledged) {}
    };
  }

  private String ask(SplittableRandom random) throws InterruptedException {
    WorkloadSeries series = ofHistory().map(WorkloadHistory::of).orElse(workload.series());
    int metric = random.nextInt(series.metrics().size());
    Map<String, String> where = new TreeMap<>();
    reader
        .where()
        .forEach(
            (key, value) ->
                where.put(
                    key,
                    value.equals(Reader.ANY) ? key + random.nextInt(series.values(key)) : value));
    long toTick = lastTick(random);
    Check.Query query =
        new Check.Query(reader, series, metric, where, Math.max(0, toTick - ticks() + 1), toTick);
    HttpTarget.Answer answer =
        target.ask(
            expression(metric, where),
            schedule.tickMs(query.fromTick()),
            schedule.tickMs(toTick + 1) - 1);
    if (answer.error().isEmpty()) {
      findings.add(reader.name(), check.of(query, answer.lines()));
    }
    return answer.error();
  }

  private Optional<WorkloadHistory> ofHistory() {
    return reader.ofHistory() ? workload.history() : Optional.empty();
  }

  /** Intervals that are read. */
  private long ticks() {
    long ticks = reader.range().toMillis() / workload.interval().toMillis();
    return ofHistory().map(history -> Math.min(ticks, history.points())).orElse(ticks);
  }

  /** The newest interval that must be there, or the last one of a part of the history. */
  private long lastTick(SplittableRandom random) {
    if (ofHistory().isPresent()) {
      WorkloadHistory history = ofHistory().get();
      long first = history.startSeconds() * 1000 / workload.interval().toMillis();
      return first + ticks() - 1 + random.nextLong(history.points() - ticks() + 1);
    }
    int ended = acknowledged.endedBefore(workload.visibleWithin().toNanos());
    return schedule.firstTick() + schedule.ticksOf(ended) - 1;
  }

  private String expression(int metric, Map<String, String> where) {
    String tags =
        where.entrySet().stream()
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(","));
    return reader.aggregator()
        + (reader.downsample().isEmpty() ? "" : ":" + reader.downsample())
        + ":"
        + workload.series().metrics().get(metric)
        + (tags.isEmpty() ? "" : "{" + tags + "}");
  }
}
