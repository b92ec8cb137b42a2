package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobHistory;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.Manifest;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A job as users see it.
 *
 * @param state in a word
 */
record JobView(Manifest manifest, JobHistory history, String state) {
  static JobView of(JobFolder jobs, JobFolder.Entry entry) throws JobException, IOException {
    String state =
        jobs.isHeld(entry.manifest().id()) ? "running" : entry.history().state().toString();
    return new JobView(entry.manifest(), entry.history(), state);
  }

  /** The job on one line. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%s  %-11s  %15s points  %s",
        manifest.id(),
        state,
        Figures.count(history.counts().packed()),
        String.join(" ", manifest.arguments()));
  }

  void print(PrintWriter out) {
    out.println("job       " + manifest.id() + ", " + state + ", begun " + manifest.created());
    out.println("command   " + String.join(" ", manifest.arguments()));
    out.println("folder    " + manifest.folder());
    out.println("store     " + manifest.store() + "; " + manifest.cells() + " cells");
    for (JobInput input : manifest.inputs()) {
      out.println("input     " + input.name() + ", " + Figures.count(input.bytes()) + " bytes");
    }
    history
        .loaders()
        .forEach(
            loader -> out.println("loader    " + loader.id() + ", cells of " + loader.stampMs()));
    out.printf(
        "points    read %s, packed %s, replaced %s, rejected %s; acknowledged %s%n",
        Figures.count(history.counts().read() + rejected()),
        Figures.count(history.counts().packed()),
        Figures.count(history.counts().replaced()),
        Figures.count(rejected()),
        Figures.count(history.counts().acknowledged()));
    history
        .rejected()
        .forEach((reason, lines) -> out.printf("%10s  %s%n", Figures.count(lines), reason));
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", manifest.id());
    json.put("state", state);
    json.put("created", manifest.created());
    json.put("arguments", manifest.arguments());
    json.put("folder", manifest.folder());
    json.put("store", manifest.store());
    json.put("cells", manifest.cells());
    json.put("sink", manifest.sink());
    json.put("inputs", manifest.inputs());
    json.put("loaders", history.loaders());
    json.put("read", history.counts().read() + rejected());
    json.put("packed", history.counts().packed());
    json.put("replaced", history.counts().replaced());
    json.put("rejected", rejected());
    json.put("acknowledged", history.counts().acknowledged());
    return json;
  }

  private long rejected() {
    return history.rejected().values().stream().mapToLong(Long::longValue).sum();
  }
}
