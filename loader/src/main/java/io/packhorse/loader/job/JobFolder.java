package io.packhorse.loader.job;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * All jobs of a store, one folder for each; a job of several loaders has a folder inside for each.
 *
 * @param path the folder of those folders; need not exist
 */
public record JobFolder(Path path) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private static final String SHARD = "shard-";

  /** A shard of a job, or all of it if it has one, as any process may read it. */
  public record Entry(Manifest manifest, JobHistory history) {}

  /** A new, unique id: the time and four random hex digits. */
  public static String newId(Instant now) {
    byte[] random = new byte[2];
    new SecureRandom().nextBytes(random);
    return TIME.format(now) + "-" + HexFormat.of().formatHex(random);
  }

  /**
   * Makes the folder of a new job, or shard of a job, and takes it.
   *
   * @throws JobException if there is one already, or the job has another number of shards
   */
  public Job create(Manifest manifest) throws JobException, IOException {
    Path whole = path.resolve(manifest.id());
    Path job = folderOf(whole, manifest.part());
    for (Entry other : Files.isDirectory(whole) ? entries(whole) : List.<Entry>of()) {
      if (other.manifest().part().count() != manifest.part().count()) {
        throw new JobException(
            "job " + manifest.id() + " has " + other.manifest().part().count() + " shards");
      }
      if (other.manifest().part().equals(manifest.part())) {
        throw new JobException(
            "there is a "
                + (manifest.part().isWhole() ? "" : "shard " + manifest.part() + " of ")
                + "job "
                + manifest.id()
                + " already, it is "
                + other.history().state());
      }
    }
    Files.createDirectories(job);
    DurableFiles.forceFolder(whole);
    DurableFiles.forceFolder(path);
    return Job.begin(job, manifest);
  }

  /**
   * Takes over a job whose HFiles are staged; creates it if it is not here.
   *
   * @param beside what lies beside the HFiles
   */
  public Job adopt(StagedJob staged, Job.StagedFiles beside) throws JobException, IOException {
    Manifest manifest = staged.manifest();
    Path folder = folderOf(path.resolve(manifest.id()), manifest.part());
    try (Job job =
        Files.exists(folder.resolve(Manifest.FILE)) ? Job.open(folder) : create(manifest)) {
      JobState state = job.history().state();
      if (state == JobState.OPEN || state == JobState.STAGED) {
        job.adopt(staged, beside);
      }
    }
    return Job.open(folder);
  }

  /**
   * Takes a job over, or one shard of it.
   *
   * @throws JobException if no job has that name, another process works on it, or it is damaged
   */
  public Job open(String id, JobShard shard) throws JobException, IOException {
    return Job.open(folderOf(folderOf(id), shard));
  }

  /** Reads manifest and ledger of a job, or of one shard of it. */
  public Entry look(String id, JobShard shard) throws JobException, IOException {
    return look(folderOf(folderOf(id), shard));
  }

  /**
   * Reads manifests and ledgers of the shards of a job that have begun, in their order.
   *
   * @param only one of them, or all if empty
   * @throws JobException if there is no such job
   */
  public List<Entry> shards(String id, Optional<JobShard> only) throws JobException, IOException {
    if (only.isPresent()) {
      return List.of(look(id, only.get()));
    }
    List<Entry> shards = entries(folderOf(id));
    if (shards.isEmpty()) {
      throw noJob(id);
    }
    return shards;
  }

  /** Whether a process works on a job, or a shard, now; not for a process that does so itself. */
  public boolean isHeld(Manifest manifest) throws IOException {
    return Job.isHeld(folderOf(path.resolve(manifest.id()), manifest.part()));
  }

  /** Reads manifests and ledgers of all jobs, in the order of their ids. */
  public List<Entry> list() throws JobException, IOException {
    List<Entry> entries = new ArrayList<>();
    if (Files.isDirectory(path)) {
      try (DirectoryStream<Path> jobs = Files.newDirectoryStream(path, Files::isDirectory)) {
        for (Path job : jobs) {
          entries.addAll(entries(job));
        }
      }
    }
    entries.sort(Comparator.comparing((Entry entry) -> entry.manifest().id()));
    return entries;
  }

  /** The shards in the folder of a job, in their order. */
  private static List<Entry> entries(Path job) throws JobException, IOException {
    if (Files.exists(job.resolve(Manifest.FILE))) {
      return List.of(look(job));
    }
    List<Entry> shards = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(job, SHARD + "*")) {
      for (Path shard : folders) {
        if (Files.exists(shard.resolve(Manifest.FILE))) {
          shards.add(look(shard));
        }
      }
    }
    shards.sort(Comparator.comparingInt(entry -> entry.manifest().part().number()));
    return shards;
  }

  private static Entry look(Path job) throws JobException, IOException {
    Manifest manifest = Manifest.read(job);
    return new Entry(manifest, JobHistory.of(Ledger.read(job).records()));
  }

  private Path folderOf(String id) throws JobException {
    Path job = path.resolve(id);
    if (!path.equals(job.getParent()) || !Files.isDirectory(job)) {
      throw noJob(id);
    }
    return job;
  }

  private JobException noJob(String id) {
    return new JobException("there is no job " + id + " in " + path);
  }

  private static Path folderOf(Path job, JobShard shard) {
    return shard.isWhole() ? job : job.resolve(SHARD + shard.number() + "-of-" + shard.count());
  }
}
