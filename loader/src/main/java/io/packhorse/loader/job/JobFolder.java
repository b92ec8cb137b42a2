package io.packhorse.loader.job;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All jobs of a store, one folder for each; a job of several loaders has a folder inside for each.
 *
 * @param path the folder of those folders; need not exist
 */
public record JobFolder(Path path) {
  /** What {@link #isId} wants, for people. */
  public static final String ID_RULE =
      "letters, digits, '.', '_' and '-', at most 64 of them, the first one a letter or digit";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private static final String SHARD = "shard-";

  /** Folders that begin so are being removed; the name of no job does. */
  private static final String REMOVED = ".removed-";

  /**
   * A shard of a job, or all of it if it has one, as any process may read it.
   *
   * @param folder of the shard
   */
  public record Entry(Path folder, Manifest manifest, JobHistory history) {}

  /**
   * All jobs of a store.
   *
   * @param jobs and shards that can be read, the oldest first
   * @param damaged why the others cannot be read, one for each
   */
  public record Listing(List<Entry> jobs, List<JobException> damaged) {}

  /** Whether a word can name a job. */
  public static boolean isId(String word) {
    return ID.matcher(word).matches();
  }

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
  public Job open(String id, JobShard shard) throws JobException {
    Path job = folderOf(folderOf(id), shard);
    try {
      return Job.open(job);
    } catch (IOException e) {
      throw new JobException("job " + id + " cannot be opened", e);
    }
  }

  /** Reads manifest and ledger of a job, or of one shard of it. */
  public Entry look(String id, JobShard shard) throws JobException {
    return look(folderOf(folderOf(id), shard));
  }

  /**
   * Removes a job and its record of what it has stored; stored points stay.
   *
   * @param force also a job that has stored points, or whose files are damaged
   * @throws JobException if there is no such job, another process works on it, or it must not be
   *     removed without force; nothing was removed then
   */
  public void delete(String id, boolean force) throws JobException, IOException {
    List<Closeable> locks = new ArrayList<>();
    try {
      Path job = folderOf(id);
      List<Path> folders = folders(job);
      if (folders.isEmpty()) {
        throw noJob(id);
      }
      for (Path folder : folders) {
        Optional<Closeable> lock = Job.lock(folder);
        if (lock.isEmpty()) {
          throw new JobException(
              "another process works on job " + id + "; wait for it, or stop it");
        }
        locks.add(lock.get());
      }
      if (!force) {
        checkDeletable(id);
      }
      for (Path folder : folders) {
        remove(folder, !folder.equals(job));
      }
    } finally {
      for (Closeable lock : locks) {
        lock.close();
      }
    }
  }

  /**
   * Checks that a job has no points in the store.
   *
   * @throws JobException if it may have some, or is damaged
   */
  public void checkDeletable(String id) throws JobException {
    for (Entry shard : shards(id, Optional.empty())) {
      if (!shard.history().hasStoredNothing()) {
        throw new JobException(
            "job "
                + id
                + " is "
                + shard.history().state()
                + " and has stored points: delete them with job rollback first; or add --force, and"
                + " they stay in the store and can no longer be verified, rolled back or replaced"
                + " by the name of this job");
      }
    }
  }

  /**
   * Removes the folder of a job, or of a shard, whose lock this process holds. The name is free at
   * once, also if the process dies before all files are gone.
   *
   * @param shard whether it lies in the folder of a job of several
   */
  static void remove(Path folder, boolean shard) throws IOException {
    Path parent = parentOf(folder);
    Path jobs = shard ? parentOf(parent) : parent;
    Path removed = jobs.resolve(REMOVED + UUID.randomUUID());
    Files.move(folder, removed, StandardCopyOption.ATOMIC_MOVE);
    if (shard) {
      try {
        Files.deleteIfExists(parent);
      } catch (DirectoryNotEmptyException otherShards) {
        // They stay.
      }
    }
    DurableFiles.forceFolder(jobs);
    deleteTree(removed);
  }

  /**
   * Reads manifests and ledgers of the shards of a job that have begun, in their order.
   *
   * @param only one of them, or all if empty
   * @throws JobException if there is no such job
   */
  public List<Entry> shards(String id, Optional<JobShard> only) throws JobException {
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

  /** Reads manifests and ledgers of all jobs; a damaged job does not hide the others. */
  public Listing list() throws IOException {
    List<List<Entry>> jobs = new ArrayList<>();
    List<JobException> damaged = new ArrayList<>();
    if (Files.isDirectory(path)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(path, JobFolder::isJob)) {
        for (Path job : folders) {
          try {
            List<Entry> shards = entries(job);
            if (!shards.isEmpty()) {
              jobs.add(shards);
            }
          } catch (JobException e) {
            damaged.add(e);
          }
        }
      }
    }
    jobs.sort(
        Comparator.comparing((List<Entry> shards) -> created(shards))
            .thenComparing(shards -> shards.get(0).manifest().id()));
    return new Listing(jobs.stream().flatMap(List::stream).toList(), List.copyOf(damaged));
  }

  private static boolean isJob(Path folder) {
    return Files.isDirectory(folder) && !nameOf(folder).startsWith(REMOVED);
  }

  /** When the first shard of a job began. */
  private static String created(List<Entry> shards) {
    return shards.stream().map(shard -> shard.manifest().created()).sorted().findFirst().orElse("");
  }

  /** The folders of a job: its own, or those of its shards that have begun. */
  private static List<Path> folders(Path job) throws IOException {
    if (Files.exists(job.resolve(Manifest.FILE))) {
      return List.of(job);
    }
    List<Path> shards = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(job, SHARD + "*")) {
      for (Path shard : folders) {
        if (Files.exists(shard.resolve(Manifest.FILE))) {
          shards.add(shard);
        }
      }
    }
    return shards;
  }

  /** The shards in the folder of a job, in their order. */
  private static List<Entry> entries(Path job) throws JobException {
    List<Entry> shards = new ArrayList<>();
    try {
      for (Path shard : folders(job)) {
        shards.add(look(shard));
      }
    } catch (IOException e) {
      throw new JobException("job " + nameOf(job) + " cannot be read", e);
    }
    shards.sort(Comparator.comparingInt(entry -> entry.manifest().part().number()));
    return shards;
  }

  private static Entry look(Path job) throws JobException {
    try {
      Manifest manifest = Manifest.read(job);
      return new Entry(job, manifest, JobHistory.of(Ledger.read(job).records()));
    } catch (IOException e) {
      throw new JobException("job " + nameOf(job) + " cannot be read", e);
    }
  }

  private static void deleteTree(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  private static Path parentOf(Path path) {
    return Objects.requireNonNull(path.getParent(), path::toString);
  }

  private static String nameOf(Path path) {
    return String.valueOf(path.getFileName());
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
