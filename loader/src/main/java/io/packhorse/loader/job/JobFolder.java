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
import java.util.HexFormat;
import java.util.List;

/**
 * All jobs of a store, each a folder of its own.
 *
 * @param path the folder of those folders; need not exist
 */
public record JobFolder(Path path) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /** A job as everybody may see it. */
  public record Entry(Manifest manifest, JobHistory history) {}

  /** An id nobody else has: the time and four random hex digits. */
  public static String newId(Instant now) {
    byte[] random = new byte[2];
    new SecureRandom().nextBytes(random);
    return TIME.format(now) + "-" + HexFormat.of().formatHex(random);
  }

  /** Makes the folder of a new job and takes it. */
  public Job create(Manifest manifest) throws JobException, IOException {
    Files.createDirectories(path);
    Path job = Files.createDirectory(path.resolve(manifest.id()));
    manifest.write(job);
    DurableFiles.forceFolder(path);
    return Job.open(job);
  }

  /**
   * Takes a job over.
   *
   * @throws JobException if there is none of that name, another process works on it, or it is
   *     damaged
   */
  public Job open(String id) throws JobException, IOException {
    return Job.open(folderOf(id));
  }

  /** Looks at one job. */
  public Entry look(String id) throws JobException, IOException {
    return look(folderOf(id));
  }

  /** Whether a process works on a job now; not for a process that does so itself. */
  public boolean isHeld(String id) throws JobException, IOException {
    return Job.isHeld(folderOf(id));
  }

  /** Looks at all jobs, in the order of their ids, which is that of their time. */
  public List<Entry> list() throws JobException, IOException {
    List<Entry> entries = new ArrayList<>();
    if (Files.isDirectory(path)) {
      try (DirectoryStream<Path> jobs = Files.newDirectoryStream(path)) {
        for (Path job : jobs) {
          if (Files.exists(job.resolve(Manifest.FILE))) {
            entries.add(look(job));
          }
        }
      }
    }
    entries.sort((a, b) -> a.manifest().id().compareTo(b.manifest().id()));
    return entries;
  }

  private static Entry look(Path job) throws JobException, IOException {
    Manifest manifest = Manifest.read(job);
    return new Entry(manifest, JobHistory.of(Ledger.read(job).records()));
  }

  private Path folderOf(String id) throws JobException {
    Path job = path.resolve(id);
    if (!path.equals(job.getParent()) || !Files.isDirectory(job)) {
      throw new JobException("there is no job " + id + " in " + path);
    }
    return job;
  }
}
