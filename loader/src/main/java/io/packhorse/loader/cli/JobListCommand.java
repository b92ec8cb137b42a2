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

  @Mixin private final JobRecordOptions target = new JobRecordOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws JobException, IOException {
    PrintWriter out = command.commandLine().getOut();
    JobFolder.Listing all = target.jobs().list();
    List<JobView> jobs = views(all.jobs());
    json.print(
        command,
        ExitCode.OK,
        Map.of("jobs_dir", target.jobs().path().toString()),
        Map.of(
            "jobs",
            jobs.stream().map(JobView::json).toList(),
            "damaged",
            all.damaged().stream().map(JobException::getMessage).toList()),
        () -> print(jobs, out));
    all.damaged()
        .forEach(
            damaged ->
                ConsoleAnnouncer.of(command).say("WARNING", String.valueOf(damaged.getMessage())));
    return ExitCode.OK.code();
  }

  /** One for each job, with all of its shards. */
  private List<JobView> views(List<JobFolder.Entry> shards) throws JobException, IOException {
    Map<String, List<JobFolder.Entry>> byJob = new LinkedHashMap<>();
    for (JobFolder.Entry shard : shards) {
      byJob.computeIfAbsent(shard.manifest().id(), none -> new ArrayList<>()).add(shard);
    }
    List<JobView> jobs = new ArrayList<>();
    for (List<JobFolder.Entry> ofJob : byJob.values()) {
      jobs.add(JobView.of(target.jobs(), ofJob));
    }
    return jobs;
  }

  private void print(List<JobView> jobs, PrintWriter out) {
    if (jobs.isEmpty()) {
      out.println("no jobs in " + target.jobs().path());
      return;
    }
    List<JobView.Row> rows = new ArrayList<>();
    rows.add(JobView.Row.HEADINGS);
    jobs.forEach(job -> rows.add(job.row()));
    int id = rows.stream().mapToInt(row -> row.id().length()).max().orElse(0);
    int state = rows.stream().mapToInt(row -> row.state().length()).max().orElse(0);
    int points = rows.stream().mapToInt(row -> row.points().length()).max().orElse(0);
    String format = "%-" + id + "s  %-19s  %-" + state + "s  %" + points + "s  %s%n";
    for (JobView.Row row : rows) {
      out.printf(format, row.id(), row.begun(), row.state(), row.points(), row.command());
    }
  }
}
