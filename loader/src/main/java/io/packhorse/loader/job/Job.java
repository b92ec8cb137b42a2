package io.packhorse.loader.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.job.LedgerRecord.Checkpoint;
import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.pack.OpenHours;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job that this process holds the lock of. Other processes may only read it, see {@link
 * JobFolder}. Any number of threads.
 *
 * <pre>
 *   manifest.json    store, settings and inputs
 *   ledger           loader ids taken, checkpoints, states reached
 *   series           names of the series, by number
 *   last-times       of all points the first, of the series the last, at the last checkpoint or later
 *   hours-N          open hours of the last checkpoints, and what memory has no room for
 *   rejects.tsv      rejected lines
 *   result.json      how it ended
 *   staged.json      describes the job beside its staged HFiles
 *   lock             held while a process works on it
 * </pre>
 */
public final class Job implements Closeable {
  private static final String REJECTS = "rejects.tsv";
  private static final String RESULT = "result.json";
  private static final String LOCK = "lock";
  private static final String HOURS = "hours-";
  private static final String LAST_TIMES = "last-times";

  private final Path folder;
  private volatile Manifest manifest;
  private final JobHistory history;
  private volatile JobState state;
  private volatile boolean blank;
  private volatile boolean removed;
  private final long tornBytes;
  private final FileChannel lock;
  private final Ledger ledger;
  private final AtomicInteger hoursNumber;

  /** By slice: the files of open hours that its last checkpoint names. */
  private final Map<Integer, Set<String>> hoursInUse = new ConcurrentHashMap<>();

  private Path rejects;
  private @Nullable SeriesFile series;
  private LastTimes lastTimes = new LastTimes();

  /**
   * What is kept with a position of the source.
   *
   * @param rejected lines by reason
   * @param rejectsBytes length of the rejects file
   * @param seriesBytes length of the file of series
   * @param seriesCrc32c checksum of it
   */
  record Kept(Map<String, Long> rejected, long rejectsBytes, long seriesBytes, int seriesCrc32c) {}

  /** Asked for what to keep, on the thread that reads the source. */
  interface Reading {
    Kept keep() throws IOException;
  }

  /** The rejects of a load, as a checkpoint needs them; on the thread that reads. */
  public interface RejectsSoFar {
    /** Brings them to their file; lines by reason, those of earlier runs of the job included. */
    Map<String, Long> flush() throws IOException;
  }

  private Job(
      Path folder, Manifest manifest, Ledger.Content content, FileChannel lock, Ledger ledger)
      throws IOException {
    this.folder = folder;
    this.manifest = manifest;
    this.history = JobHistory.of(content.records());
    this.state = history.state();
    this.blank = content.records().isEmpty();
    this.tornBytes = content.tornBytes();
    this.lock = lock;
    this.rejects = folder.resolve(REJECTS);
    this.ledger = ledger;
    this.hoursNumber = new AtomicInteger(lastHoursNumber());
    history.checkpoints().forEach((slice, last) -> hoursInUse.put(slice, names(last.hours())));
  }

  /**
   * Takes a job that no process has taken yet.
   *
   * @param folder of it, made for it
   * @throws JobException if another process has just taken it
   */
  static Job begin(Path folder, Manifest manifest) throws JobException, IOException {
    FileChannel lock = openLock(folder);
    try {
      if (tryLock(lock) == null || Files.exists(folder.resolve(Manifest.FILE))) {
        throw held(manifest);
      }
      manifest.write(folder);
      return locked(folder, manifest, lock);
    } catch (JobException | IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /** Takes a job over. */
  static Job open(Path folder) throws JobException, IOException {
    Manifest manifest = Manifest.read(folder);
    FileChannel lock = openLock(folder);
    try {
      if (tryLock(lock) == null) {
        throw held(manifest);
      }
      return locked(folder, manifest, lock);
    } catch (JobException | IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private static Job locked(Path folder, Manifest manifest, FileChannel lock)
      throws JobException, IOException {
    Ledger.Content content = Ledger.read(folder);
    return new Job(folder, manifest, content, lock, Ledger.open(folder, content));
  }

  /**
   * Takes the lock of a job, whatever state its files are in.
   *
   * @return released by closing it; empty if another process holds it
   */
  static Optional<Closeable> lock(Path folder) throws IOException {
    FileChannel lock = openLock(folder);
    if (tryLock(lock) == null) {
      lock.close();
      return Optional.empty();
    }
    return Optional.of(lock);
  }

  private static FileChannel openLock(Path folder) throws IOException {
    return FileChannel.open(
        folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static JobException held(Manifest manifest) {
    return new JobException(
        "another process works on "
            + (manifest.part().isWhole() ? "" : "shard " + manifest.part() + " of ")
            + "job "
            + manifest.id()
            + "; wait for it, or stop it");
  }

  /**
   * Whether another process works on a job now. The one that does must not ask: closing the file
   * would give its own lock up.
   */
  static boolean isHeld(Path folder) throws IOException {
    Path file = folder.resolve(LOCK);
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return tryLock(channel) == null;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldByThisProcess) {
      return null;
    }
  }

  /** Where it lies. */
  public Path folder() {
    return folder;
  }

  /** What it is. */
  public Manifest manifest() {
    return manifest;
  }

  /** Keeps which store it is for, which was not known when it began. */
  public void settle(String store) throws IOException {
    Manifest settled = manifest.withStore(store);
    settled.write(folder);
    manifest = settled;
  }

  /** What its ledger said when it was opened. */
  public JobHistory history() {
    return history;
  }

  /** What its ledger says now. */
  public JobState state() {
    return state;
  }

  /** Whether its ledger is empty: no loader id was taken, so that it has stored nothing. */
  public boolean isBlank() {
    return blank;
  }

  /** Removes its folder; only {@link #close} may be called then. */
  public void remove() throws IOException {
    removed = true;
    JobFolder.remove(folder, !manifest.part().isWhole());
  }

  /** Bytes of an unfinished record that were cut off the ledger when it was opened. */
  public long tornBytes() {
    return tornBytes;
  }

  /** Every loader id that it may have written under until now. */
  public List<LoaderId> loaders() throws IOException {
    try {
      return JobHistory.of(Ledger.read(folder).records()).loaders();
    } catch (JobException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Loader ids of another source, each on the ledger before anything is written under it. */
  public LoaderIds recording(LoaderIds ids) {
    return () -> {
      LoaderId id = ids.next();
      append(new LedgerRecord.Loader(id.id(), id.stampMs()));
      return id;
    };
  }

  /** The last checkpoint of a slice. */
  public Optional<Checkpoint> checkpoint(int slice) {
    return Optional.ofNullable(history.checkpoints().get(slice));
  }

  /** What was packed before this run, and will not be read again; of one slice. */
  public LoadCounts before(int slice) {
    return checkpoint(slice).map(last -> last.counts().withoutOpenHours()).orElse(LoadCounts.NONE);
  }

  /** As {@link #before(int)}, of all slices. */
  public LoadCounts before() {
    return history.checkpoints().keySet().stream()
        .map(this::before)
        .reduce(LoadCounts.NONE, LoadCounts::plus);
  }

  /** Lines rejected before this run, by reason. */
  public Map<String, Long> rejectedBefore() {
    return checkpoint(0).map(Checkpoint::rejected).orElse(Map.of());
  }

  /**
   * What is wrong with the files that the last checkpoints name, if anything is: the job cannot be
   * resumed then.
   */
  public Optional<String> damage() throws IOException {
    for (Checkpoint last : history.checkpoints().values()) {
      for (LedgerRecord.Hours hours : last.hours()) {
        Path file = folder.resolve(hours.file());
        if (!Files.exists(file)) {
          return Optional.of("its open hours in " + file + " are missing");
        }
        if (!new HourFile(file, hours.crc32c()).isIntact()) {
          return Optional.of("its open hours in " + file + " are damaged");
        }
      }
      Path file = folder.resolve(SeriesFile.FILE);
      if (last.seriesBytes() > 0 && !Files.exists(file)) {
        return Optional.of("its series in " + file + " are missing");
      }
      if (last.seriesBytes() > 0
          && SeriesFile.crc32c(folder, last.seriesBytes()) != last.seriesCrc32c()) {
        return Optional.of("its series in " + file + " are damaged");
      }
    }
    return Optional.empty();
  }

  /**
   * The open hours of the last checkpoint of a slice.
   *
   * @throws IOException if their files are not what the ledger says
   */
  public OpenHours openHours(int slice) throws IOException {
    List<HourFile> files = new ArrayList<>();
    for (LedgerRecord.Hours hours : checkpoint(slice).map(Checkpoint::hours).orElse(List.of())) {
      HourFile file = new HourFile(folder.resolve(hours.file()), hours.crc32c());
      if (!file.isIntact()) {
        throw new IOException(
            file.path() + " is damaged: its checksum is not the one on the ledger");
      }
      files.add(file);
    }
    return new OpenHours(files);
  }

  /**
   * The file for rejected lines, cut back to the last checkpoint unless all lines have been read,
   * or the file was removed or replaced since; to be appended to.
   *
   * @param elsewhere if it is not to be in the job's folder
   * @param missed told how many lines of the checkpoint it does not hold any more
   */
  public Path rejects(Optional<Path> elsewhere, LongConsumer missed) throws IOException {
    rejects = elsewhere.orElse(folder.resolve(REJECTS));
    long lines = rejectedBefore().values().stream().mapToLong(Long::longValue).sum();
    long bytes = checkpoint(0).map(Checkpoint::rejectsBytes).orElse(0L);
    if (history.state() == JobState.STAGED || isNoFile(rejects)) {
      return rejects;
    }
    boolean isFull = bytes >= manifest.settings().input().rejectsBytesMax();
    if (isFull || DurableFiles.lines(rejects, bytes) == lines) {
      DurableFiles.cut(rejects, bytes);
    } else {
      missed.accept(lines);
    }
    return rejects;
  }

  /** Whether it is a pipe, or something else that keeps nothing. */
  private static boolean isNoFile(Path path) {
    return Files.exists(path) && !Files.isRegularFile(path);
  }

  /**
   * Fills in the series known at the last checkpoint, or all if the job is staged, and prepares for
   * more.
   *
   * @param names empty; the job's from now on
   * @return their last times; the job's from now on, kept with each checkpoint if any is taken
   */
  public LastTimes takeSeries(SeriesNames names) throws IOException {
    Path file = folder.resolve(SeriesFile.FILE);
    long bytes =
        history.state() == JobState.STAGED && Files.exists(file)
            ? Files.size(file)
            : checkpoint(0).map(Checkpoint::seriesBytes).orElse(0L);
    series = new SeriesFile(folder, names, bytes);
    Path times = folder.resolve(LAST_TIMES);
    if (Files.exists(times)) {
      try (InputStream from = Files.newInputStream(times)) {
        lastTimes = LastTimes.read(from, names.size());
      }
    }
    return lastTimes;
  }

  /**
   * Brings the series and their last times to disk; {@link #takeSeries} comes first.
   *
   * @return length of the file of series
   */
  public long keepSeries() throws IOException {
    long bytes = openSeries().append();
    DurableFiles.force(folder.resolve(SeriesFile.FILE));
    if (lastTimes.firstOfAll() != LastTimes.NONE) {
      DurableFiles.write(folder, LAST_TIMES, lastTimes::write);
    }
    return bytes;
  }

  /** The last times of the series, once {@link #takeSeries} has read them. */
  public LastTimes lastTimes() {
    return lastTimes;
  }

  private SeriesFile openSeries() {
    return Objects.requireNonNull(series, "takeSeries comes first");
  }

  /**
   * Describes the job for the place where its HFiles will be bulk-loaded; {@link #keepSeries} comes
   * first, and every file is written.
   *
   * @param seriesMeta whether its series are written to {@code tsdb-meta}
   * @param tsuids digest of their TSUIDs
   * @return the files that must lie beside the HFiles
   */
  public List<Path> describeStaged(
      LoadCounts counts, Map<String, Long> rejected, boolean seriesMeta, String tsuids)
      throws IOException {
    new StagedJob(StagedJob.VERSION, manifest, loaders(), counts, rejected, seriesMeta, tsuids)
        .write(folder);
    return Stream.of(StagedJob.FILE, SeriesFile.FILE, LAST_TIMES)
        .map(folder::resolve)
        .filter(Files::exists)
        .toList();
  }

  /** Fetches the files that lie beside staged HFiles. */
  public interface StagedFiles {
    /**
     * Copies a file, if there is one of that name.
     *
     * @param to replaced if it exists
     */
    void fetch(String name, Path to) throws IOException;
  }

  /**
   * Makes this the job whose HFiles were staged elsewhere, or by a process that died before the
   * ledger said so; a job that is staged already gets its series again.
   */
  void adopt(StagedJob staged, StagedFiles beside) throws IOException {
    for (String name : List.of(SeriesFile.FILE, LAST_TIMES)) {
      beside.fetch(name, folder.resolve(name));
      DurableFiles.force(folder.resolve(name));
    }
    DurableFiles.forceFolder(folder);
    for (LoaderId loader : staged.loaders()) {
      if (!history.loaders().contains(loader)) {
        append(new LedgerRecord.Loader(loader.id(), loader.stampMs()));
      }
    }
    if (history.state() == JobState.OPEN) {
      reach(JobState.STAGED, staged.counts(), staged.rejected());
    }
  }

  /**
   * Where the checkpoints of a load of files go; {@link #takeSeries} and {@link #rejects} come
   * first.
   *
   * @param interval between them, at least; more if they take long
   */
  public Checkpoints checkpoints(Duration interval, RejectsSoFar rejectsSoFar) {
    return new JobCheckpoints(
        this,
        0,
        before(0),
        interval,
        () -> {
          Map<String, Long> rejected = rejectsSoFar.flush();
          long bytes = Files.exists(rejects) ? Files.size(rejects) : 0;
          long seriesBytes = keepSeries();
          return new Kept(rejected, bytes, seriesBytes, openSeries().crc32c());
        });
  }

  /** Where the checkpoints of a slice of generated points go. */
  public Checkpoints checkpoints(Duration interval, int slice) {
    return new JobCheckpoints(
        this, slice, before(slice), interval, () -> new Kept(Map.of(), 0, 0, 0));
  }

  /** A file for open hours that does not exist yet. */
  public Path newHourFile() {
    return folder.resolve(HOURS + hoursNumber.incrementAndGet());
  }

  private int lastHoursNumber() throws IOException {
    int last = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, HOURS + "*")) {
      for (Path file : files) {
        last = Math.max(last, Integer.parseInt(nameOf(file).substring(HOURS.length())));
      }
    }
    return last;
  }

  /** Brings open hours to disk, those that the slice's last checkpoint has not brought there. */
  List<LedgerRecord.Hours> keepHours(int slice, List<HourFile> files) throws IOException {
    Set<String> kept = hoursInUse.getOrDefault(slice, Set.of());
    List<LedgerRecord.Hours> hours = new ArrayList<>();
    for (HourFile file : files) {
      if (!kept.contains(nameOf(file.path()))) {
        DurableFiles.force(file.path());
      }
      hours.add(new LedgerRecord.Hours(nameOf(file.path()), file.crc32c()));
    }
    if (!files.isEmpty()) {
      DurableFiles.forceFolder(folder);
    }
    return hours;
  }

  /** Puts a checkpoint on the ledger, then removes what only the one before it named. */
  void appendCheckpoint(Checkpoint checkpoint) throws IOException {
    Set<String> now = names(checkpoint.hours());
    Set<String> before = hoursInUse.getOrDefault(checkpoint.slice(), Set.of());
    // A record that could not be appended may be on the ledger all the same.
    hoursInUse.put(
        checkpoint.slice(),
        Stream.concat(before.stream(), now.stream()).collect(Collectors.toSet()));
    append(checkpoint);
    hoursInUse.put(checkpoint.slice(), now);
    for (String name : before) {
      if (!now.contains(name)) {
        Files.deleteIfExists(folder.resolve(name));
      }
    }
  }

  private static Set<String> names(List<LedgerRecord.Hours> hours) {
    return hours.stream().map(LedgerRecord.Hours::file).collect(Collectors.toSet());
  }

  private static String nameOf(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** Appends a record; the rejects that it counts are on disk before it. */
  void append(LedgerRecord record) throws IOException {
    blank = false;
    if (!(record instanceof LedgerRecord.Loader)) {
      DurableFiles.force(rejects);
    }
    ledger.append(record);
  }

  /**
   * Puts a state on the ledger.
   *
   * @param counts of the whole job
   * @param rejected lines by reason, of the whole job
   */
  public void reach(JobState state, LoadCounts counts, Map<String, Long> rejected)
      throws IOException {
    append(new LedgerRecord.Reached(state, counts, rejected));
    this.state = state;
    if (state == JobState.LOADED || state == JobState.ROLLED_BACK) {
      hoursInUse.clear();
      tidy();
    }
  }

  /** Writes how it ended, as JSON. */
  public void writeResult(Map<String, Object> result) throws IOException {
    DurableFiles.write(
        folder,
        RESULT,
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(result));
  }

  /** Removes open hours that no checkpoint names: what a crash has left, or was spilled since. */
  public void tidy() throws IOException {
    Set<String> wanted =
        hoursInUse.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, HOURS + "*")) {
      for (Path file : files) {
        if (!wanted.contains(nameOf(file))) {
          Files.delete(file);
        }
      }
    }
  }

  /** Removes what no checkpoint names, and gives the job up to other processes. */
  @Override
  public void close() throws IOException {
    try (lock;
        ledger) {
      if (series != null) {
        series.close();
      }
      if (!removed) {
        tidy();
      }
    }
  }
}
