package io.packhorse.loader.loadtest;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The queries of a reader, each with its check. Any number of threads. */
record Reads(
    Workload workload,
    WorkloadSeries series,
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
      public String send() throws InterruptedException {
        return ask(new SplittableRandom(workload.seed() * 31 + number));
      }

      @Override
      public void ended(boolean acknowledged) {}
    };
  }

  private String ask(SplittableRandom random) throws InterruptedException {
    int metric = random.nextInt(workload.metrics().size());
    Map<String, String> where = new TreeMap<>();
    reader
        .where()
        .forEach(
            (key, value) ->
                where.put(
                    key,
                    value.equals(Reader.ANY) ? key + random.nextInt(series.count(key)) : value));
    int ended = acknowledged.endedBefore(workload.visibleWithin().toNanos());
    long toTick = schedule.firstTick() + ended / schedule.batchesATick() - 1;
    long ticks = reader.range().toMillis() / workload.interval().toMillis();
    Check.Query query =
        new Check.Query(reader, metric, where, Math.max(0, toTick - ticks + 1), toTick);
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

  private String expression(int metric, Map<String, String> where) {
    String tags =
        where.entrySet().stream()
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(","));
    return reader.aggregator()
        + (reader.downsample().isEmpty() ? "" : ":" + reader.downsample())
        + ":"
        + workload.metrics().get(metric)
        + (tags.isEmpty() ? "" : "{" + tags + "}");
  }
}
