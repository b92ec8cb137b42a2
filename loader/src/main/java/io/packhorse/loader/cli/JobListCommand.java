package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code job list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "List all jobs of a store, the oldest first.")
final class JobListCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws JobException, IOException {
    PrintWriter out = command.commandLine().getOut();
    Map<String, List<JobFolder.Entry>> shards = new LinkedHashMap<>();
    for (JobFolder.Entry entry : target.address().jobs().list()) {
      shards.computeIfAbsent(entry.manifest().id(), none -> new ArrayList<>()).add(entry);
    }
    List<JobView> jobs = new ArrayList<>();
    for (List<JobFolder.Entry> ofJob : shards.values()) {
      jobs.add(JobView.of(target.address().jobs(), ofJob));
    }
    json.print(
        out,
        "job list",
        Map.of("jobs_dir", target.address().jobs().path().toString()),
        Map.of("jobs", jobs.stream().map(JobView::json).toList()),
        () -> print(jobs, out));
    return ExitCode.OK.code();
  }

  private void print(List<JobView> jobs, PrintWriter out) {
    if (jobs.isEmpty()) {
      out.println("no jobs in " + target.address().jobs().path());
    }
    jobs.forEach(job -> out.println(job.line()));
  }
}
