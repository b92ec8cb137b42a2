package io.packhorse.loader.cli;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.pipeline.LoadCounts;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A job as users see it.
 *
 * @param shards of it that have begun, in their order; one if it has no others
 */
record JobView(List<Part> shards) {
  private static final DateTimeFormatter BEGUN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String RUNNING = "running";

  /**
   * A shard.
   *
   * @param state that of its ledger, or {@code running}
   */
  private record Part(JobFolder.Entry entry, String state) {}

  /** A line of a list; times are in UTC. */
  record Row(String id, String begun, String state, String points, String command) {
    static final Row HEADINGS = new Row("JOB", "BEGUN (UTC)", "STATE", "POINTS", "COMMAND");
  }

  static JobView of(JobFolder jobs, List<JobFolder.Entry> shards) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (JobFolder.Entry shard : shards) {
      boolean held = jobs.isHeld(shard.manifest());
      parts.add(new Part(shard, held ? RUNNING : shard.history().state().toString()));
    }
    return new JobView(parts);
  }

  private Manifest manifest() {
    return shards.get(0).entry().manifest();
  }

  private LoadCounts counts() {
    return shards.stream()
        .map(part -> part.entry().history().counts())
        .reduce(LoadCounts.NONE, LoadCounts::plus);
  }

  /** That of all shards, or how many are in which; those to come have "not begun". */
  private String state() {
    Map<String, Integer> states = new LinkedHashMap<>();
    shards.forEach(part -> states.merge(part.state(), 1, Integer::sum));
    int missing = manifest().part().count() - shards.size();
    if (missing > 0) {
      states.put("not begun", missing);
    }
    if (states.size() == 1) {
      return states.keySet().iterator().next();
    }
    List<String> said = new ArrayList<>();
    states.forEach((state, count) -> said.add(count + " " + state));
    return String.join(", ", said);
  }

  /** The job in a list. */
  Row row() {
    return new Row(
        manifest().id(),
        BEGUN.format(Instant.parse(manifest().created())),
        state(),
        HumanNumbers.count(counts().packed()),
        String.join(" ", manifest().command()));
  }

  void print(PrintWriter out) {
    Manifest manifest = manifest();
    out.println("job       " + manifest.id() + ", " + state() + ", begun " + manifest.created());
    out.println("command   " + String.join(" ", manifest.command()));
    out.println(
        "store     "
            + (manifest.store().isEmpty() ? "not reached yet" : manifest.store())
            + "; "
            + manifest.settings().cells()
            + " cells");
    shards.forEach(part -> print(part, out));
    LoadCounts counts = counts();
    out.printf(
        "points    read %s, packed %s, replaced %s, rejected %s; acknowledged %s%n",
        HumanNumbers.count(counts.read() + rejected()),
        HumanNumbers.count(counts.packed()),
        HumanNumbers.count(counts.replaced()),
        HumanNumbers.count(rejected()),
        HumanNumbers.count(counts.acknowledged()));
    reasons()
        .forEach((reason, lines) -> out.printf("%10s  %s%n", HumanNumbers.count(lines), reason));
  }

  private static void print(Part part, PrintWriter out) {
    JobFolder.Entry entry = part.entry();
    if (!entry.manifest().part().isWhole()) {
      out.printf(
          "shard     %s, %s, packed %s%n",
          entry.manifest().part(),
          part.state(),
          HumanNumbers.count(entry.history().counts().packed()));
    }
    for (JobInput input : entry.manifest().inputs()) {
      out.println("input     " + input.name() + ", " + HumanNumbers.bytes((double) input.bytes()));
    }
    for (LoaderId loader : entry.history().loaders()) {
      out.println("loader    " + loader.id() + ", cells of " + loader.stampMs());
    }
  }

  Map<String, Object> json() {
    Manifest manifest = manifest();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", manifest.id());
    json.put("state", state());
    json.put("created", manifest.created());
    json.put("command", manifest.command());
    json.put("settings", manifest.settings());
    json.put("store", manifest.store());
    json.put("inputs", entries().flatMap(of -> of.manifest().inputs().stream()).toList());
    json.put("loaders", entries().flatMap(of -> of.history().loaders().stream()).toList());
    if (!manifest.part().isWhole()) {
      json.put("shards_wanted", manifest.part().count());
      json.put("shards", shards.stream().map(JobView::json).toList());
    }
    LoadCounts counts = counts();
    json.put("read", counts.read() + rejected());
    json.put("packed", counts.packed());
    json.put("replaced", counts.replaced());
    json.put("rejected", rejected());
    json.put("acknowledged", counts.acknowledged());
    return json;
  }

  private static Map<String, Object> json(Part part) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("shard", part.entry().manifest().part().number());
    json.put("state", part.state());
    json.put("packed", part.entry().history().counts().packed());
    return json;
  }

  private Stream<JobFolder.Entry> entries() {
    return shards.stream().map(Part::entry);
  }

  private Map<String, Long> reasons() {
    Map<String, Long> reasons = new TreeMap<>();
    entries()
        .forEach(
            of -> of.history().rejected().forEach((why, n) -> reasons.merge(why, n, Long::sum)));
    return reasons;
  }

  private long rejected() {
    return reasons().values().stream().mapToLong(Long::longValue).sum();
  }
}
