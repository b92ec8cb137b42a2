package io.packhorse.loader.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourFile;
import io.packhorse.loader.pack.OpenHours;
import io.packhorse.loader.pipeline.Checkpoints;
import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTest {
  private static final SeriesName A = SeriesName.of("m", "host", "a");
  private static final SeriesName B =
      new SeriesName("n", new java.util.TreeMap<>(Map.of("host", "b", "dc", "ö")));

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private JobFolder jobs() {
    return new JobFolder(folder.resolve("jobs"));
  }

  private Job create(String id) throws Exception {
    return create(id, JobShard.WHOLE);
  }

  private Job create(String id, JobShard shard) throws Exception {
    return jobs().create(manifest(id, shard, "load", "a b.txt"));
  }

  private static Manifest manifest(String id, JobShard shard, String... arguments) {
    return Manifests.of(
        id,
        shard,
        Manifests.settings(),
        List.of(new JobInput("a b.txt", "/a b.txt", 5, "00")),
        arguments);
  }

  @Test
  void oneProcessAtATimeWorksOnAJob() throws Exception {
    try (Job job = create("one")) {
      JobException thrown =
          assertThrows(JobException.class, () -> jobs().open("one", JobShard.WHOLE));
      assertTrue(String.valueOf(thrown.getMessage()).contains("another process"));
      assertEquals("one", job.manifest().id());
    }
    assertFalse(jobs().isHeld(jobs().look("one", JobShard.WHOLE).manifest()));
    try (Job again = jobs().open("one", JobShard.WHOLE)) {
      assertEquals(List.of("load", "a b.txt"), again.manifest().command());
    }
  }

  @Test
  void theStoreOfAJobMayBeAddedLater() throws Exception {
    try (Job job = jobs().create(manifest("one", JobShard.WHOLE, "receive").withStore(""))) {
      assertEquals("", job.manifest().store());
      job.settle("tsdb, salt 1 x 4");
      assertEquals("tsdb, salt 1 x 4", job.manifest().store());
      assertTrue(job.isBlank());
    }
    Manifest kept = jobs().look("one", JobShard.WHOLE).manifest();
    assertEquals(manifest("one", JobShard.WHOLE, "receive").withStore("tsdb, salt 1 x 4"), kept);
  }

  @Test
  void ofTwoThatBeginAJobAtOnceOneDoes() throws Exception {
    for (int attempt = 0; attempt < 100; attempt++) {
      String id = "job" + attempt;
      CyclicBarrier together = new CyclicBarrier(2);
      List<String> began = Collections.synchronizedList(new ArrayList<>());
      List<Thread> loads = new ArrayList<>();
      for (String command : List.of("first", "second")) {
        Manifest manifest = manifest(id, JobShard.WHOLE, command);
        loads.add(
            new Thread(
                () -> {
                  try {
                    together.await();
                    try (Job job = jobs().create(manifest)) {
                      began.add(job.manifest().command().get(0));
                    }
                  } catch (JobException refused) {
                    // The other one has it.
                  } catch (Exception e) {
                    began.add(e.toString());
                  }
                }));
      }
      loads.forEach(Thread::start);
      for (Thread load : loads) {
        load.join();
      }
      assertEquals(jobs().look(id, JobShard.WHOLE).manifest().command(), began);
    }
  }

  @Test
  void whatIsNoJobIsNotOpened() throws Exception {
    assertEquals(List.of(), jobs().list().jobs());
    create("one").close();
    for (String wrong : List.of("two", "", "..", "one/../one", ".")) {
      assertThrows(JobException.class, () -> jobs().open(wrong, JobShard.WHOLE), wrong);
    }
    assertEquals(1, jobs().list().jobs().size());
  }

  @Test
  void aDamagedJobDoesNotHideTheOthers() throws Exception {
    create("one").close();
    create("two").close();
    create("three").close();
    Files.writeString(folder.resolve("jobs/two/ledger"), "no record\nnor this\n");
    Files.writeString(folder.resolve("jobs/three/manifest.json"), "{\"v\":");
    JobFolder.Listing all = jobs().list();
    assertEquals(List.of("one"), all.jobs().stream().map(job -> job.manifest().id()).toList());
    List<String> said = all.damaged().stream().map(e -> String.valueOf(e.getMessage())).toList();
    assertEquals(2, said.size());
    assertTrue(said.stream().anyMatch(text -> text.contains("two/ledger is damaged: record 1")));
    assertTrue(said.stream().anyMatch(text -> text.contains("three/manifest.json is damaged")));
    assertThrows(JobException.class, () -> jobs().open("two", JobShard.WHOLE));
    assertThrows(JobException.class, () -> jobs().delete("two", false));
    jobs().delete("two", true);
    jobs().delete("three", true);
    assertEquals(0, jobs().list().damaged().size());
    try (Stream<Path> left = Files.list(folder.resolve("jobs"))) {
      assertEquals(List.of(folder.resolve("jobs/one")), left.toList());
    }
  }

  @Test
  void jobsAreListedByTime() throws Exception {
    Manifest first = manifest("z", JobShard.WHOLE, "load");
    for (int i = 0; i < 3; i++) {
      Manifest later =
          new Manifest(
              first.v(),
              List.of("z", "m", "a").get(i),
              1,
              1,
              "2024-01-0" + (i + 1) + "T00:00:00Z",
              first.software(),
              first.command(),
              first.store(),
              first.settings(),
              first.inputs(),
              true);
      jobs().create(later).close();
    }
    assertEquals(
        List.of("z", "m", "a"),
        jobs().list().jobs().stream().map(job -> job.manifest().id()).toList());
  }

  @Test
  void onlyAJobWithoutPointsIsDeletedUnlessForced() throws Exception {
    JobShard first = new JobShard(1, 2);
    JobShard second = new JobShard(2, 2);
    create("many", first).close();
    try (Job job = create("many", second)) {
      JobException held = assertThrows(JobException.class, () -> jobs().delete("many", true));
      assertTrue(String.valueOf(held.getMessage()).contains("another process works on job many"));
      LoaderId unused = job.recording(() -> new LoaderId(9, 1234)).next();
    }
    JobException stored = assertThrows(JobException.class, () -> jobs().delete("many", false));
    assertTrue(String.valueOf(stored.getMessage()).contains("add --force"), stored.getMessage());
    assertEquals(2, jobs().shards("many", Optional.empty()).size());
    try (Job job = jobs().open("many", second)) {
      job.reach(JobState.ROLLED_BACK, LoadCounts.NONE, Map.of());
    }
    jobs().delete("many", false);
    assertFalse(Files.exists(folder.resolve("jobs/many")));
    assertThrows(JobException.class, () -> jobs().delete("many", true));
    create("many").close();
    assertTrue(jobs().look("many", JobShard.WHOLE).history().loaders().isEmpty());
  }

  @Test
  void aJobThatIsRemovedLeavesItsNameAndTheOtherShards() throws Exception {
    JobShard first = new JobShard(1, 2);
    create("many", new JobShard(2, 2)).close();
    try (Job job = create("many", first)) {
      assertTrue(job.isBlank());
      job.remove();
    }
    assertEquals(1, jobs().shards("many", Optional.empty()).size());
    try (Job job = create("many", first)) {
      LoaderId unused = job.recording(() -> new LoaderId(9, 1234)).next();
      assertFalse(job.isBlank());
    }
    try (Job job = jobs().open("many", first)) {
      assertFalse(job.isBlank());
    }
  }

  @Test
  void aCheckpointThatCostsMuchIsFollowedByAPause() throws Exception {
    try (Job job = create("one")) {
      Checkpoints checkpoints = job.checkpoints(Duration.ofSeconds(0), 0);
      assertTrue(checkpoints.due());
      Checkpoints.Pending pending = checkpoints.begin(new SourcePosition(0, 1, 0)).orElseThrow();
      pending.cost(Duration.ofHours(1).toNanos());
      pending.complete(LoadCounts.NONE, List.of());
      assertFalse(checkpoints.due());
    }
  }

  @Test
  void damagedFilesOfACheckpointAreFoundBeforeAJobIsResumed() throws Exception {
    try (Job job = create("one")) {
      SeriesNames names = new SeriesNames();
      LastTimes unusedTimes = job.takeSeries(names);
      Path unusedRejects = job.rejects(Optional.empty(), JobTest::unexpected);
      names.intern(A);
      Checkpoints.Pending pending =
          job.checkpoints(Duration.ofSeconds(0), Map::of)
              .begin(new SourcePosition(0, 7, 1))
              .orElseThrow();
      pending.complete(LoadCounts.NONE, List.of(hours(job, 1, 2)));
    }
    Path series = folder.resolve("jobs/one/series");
    Path hours = folder.resolve("jobs/one/hours-1");
    for (Path file : List.of(series, hours)) {
      byte[] whole = Files.readAllBytes(file);
      assertEquals(Optional.empty(), damage());
      whole[whole.length / 2] ^= 1;
      Files.write(file, whole);
      assertTrue(damage().orElseThrow().contains(file + " are damaged"), damage()::toString);
      Files.delete(file);
      assertTrue(damage().orElseThrow().contains(file + " are missing"), damage()::toString);
      whole[whole.length / 2] ^= 1;
      Files.write(file, whole);
    }
  }

  private Optional<String> damage() throws Exception {
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      return job.damage();
    }
  }

  @Test
  void loaderIdsAreOnTheLedgerBeforeTheyAreUsed() throws Exception {
    try (Job job = create("one")) {
      LoaderId taken = job.recording(() -> new LoaderId(9, 1234)).next();
      assertEquals(List.of(taken), jobs().look("one", JobShard.WHOLE).history().loaders());
    }
  }

  @Test
  void goesOnFromTheLastCheckpointAndForgetsWhatCameAfter() throws Exception {
    LoadCounts counts = new LoadCounts(10, 6, 1, 6, 2, 200, 150);
    SourcePosition position = new SourcePosition(0, 77, 5);
    try (Job job = create("one")) {
      SeriesNames names = new SeriesNames();
      LastTimes times = job.takeSeries(names);
      Path rejects = job.rejects(Optional.empty(), JobTest::unexpected);
      names.intern(A);
      names.intern(B);
      times.take(0, 500);
      times.take(1, 700);
      Files.writeString(rejects, "first\n");
      Checkpoints checkpoints =
          job.checkpoints(Duration.ofSeconds(0), () -> Map.of("no point", 1L));
      assertTrue(checkpoints.due());
      Checkpoints.Pending pending = checkpoints.begin(position).orElseThrow();
      assertFalse(checkpoints.due(), "one at a time");
      names.intern(SeriesName.of("later", "x", "y"));
      times.take(2, 900);
      Files.writeString(rejects, "first\nsecond\n");
      pending.complete(counts, List.of(hours(job, 1, 2), hours(job, 3)));
      // Begun and never completed: the process dies.
      assertTrue(checkpoints.begin(new SourcePosition(0, 99, 6)).isPresent());
      Files.write(job.folder().resolve("hours-77"), new byte[3]);
    }
    Files.write(
        folder.resolve("jobs/one/ledger"),
        "1234".getBytes(StandardCharsets.US_ASCII),
        java.nio.file.StandardOpenOption.APPEND);
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      assertEquals(4, job.tornBytes());
      Files.write(job.newHourFile(), new byte[3]);
      job.tidy();
      assertEquals(Set.of("hours-1", "hours-2"), hoursOf(job));
      assertEquals(position, job.checkpoint(0).orElseThrow().position());
      assertEquals(new LoadCounts(7, 6, 1, 6, 2, 200, 150), job.before());
      assertEquals(Map.of("no point", 1L), job.rejectedBefore());
      assertEquals("first\n", Files.readString(job.rejects(Optional.empty(), JobTest::unexpected)));
      SeriesNames names = new SeriesNames();
      LastTimes times = job.takeSeries(names);
      assertEquals(2, names.size());
      assertEquals(500, times.ofSeries(0));
      assertEquals(700, times.ofSeries(1));
      assertEquals(LastTimes.NONE, times.ofSeries(2));
      assertEquals(A, names.get(0));
      assertEquals(B, names.get(1));
      Checkpoints.Pending pending =
          job.checkpoints(Duration.ofSeconds(0), () -> Map.of("no point", 4L))
              .begin(position)
              .orElseThrow();
      pending.complete(new LoadCounts(5, 5, 0, 5, 1, 10, 5), List.of());
      assertEquals(12, jobs().look("one", JobShard.WHOLE).history().counts().read());
      assertEquals(11, jobs().look("one", JobShard.WHOLE).history().counts().packed());
      job.reach(JobState.LOADED, counts, Map.of());
    }
    assertEquals(JobState.LOADED, jobs().look("one", JobShard.WHOLE).history().state());
  }

  @Test
  void aCheckpointRemovesWhatOnlyTheOneBeforeNamed() throws Exception {
    try (Job job = create("one")) {
      Checkpoints checkpoints = job.checkpoints(Duration.ofSeconds(0), 0);
      SourcePosition position = new SourcePosition(0, 1, 0);
      HourFile first = hours(job, 1);
      HourFile second = hours(job, 2);
      HourFile third = hours(job, 3);
      checkpoints.begin(position).orElseThrow().complete(LoadCounts.NONE, List.of(first, second));
      checkpoints.begin(position).orElseThrow().complete(LoadCounts.NONE, List.of(first, third));
      assertEquals(Set.of("hours-1", "hours-3"), hoursOf(job));
      assertEquals("hours-4", String.valueOf(hours(job, 4).path().getFileName()));
    }
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      assertEquals(Set.of("hours-1", "hours-3"), hoursOf(job), "spilled since, and given up");
      job.reach(JobState.LOADED, LoadCounts.NONE, Map.of());
      assertEquals(Set.of(), hoursOf(job));
    }
  }

  private static void unexpected(long lines) {
    throw new AssertionError(lines + " lines missed");
  }

  @Test
  void rejectsThatSomebodyHasRemovedOrReplacedAreMissedAndNothingElseIs() throws Exception {
    Path elsewhere = folder.resolve("rejects.tsv");
    try (Job job = create("one")) {
      job.takeSeries(new SeriesNames());
      Path rejects = job.rejects(Optional.of(elsewhere), JobTest::unexpected);
      Files.writeString(rejects, "first\nsecond\n");
      job.checkpoints(Duration.ofSeconds(0), () -> Map.of("no point", 2L))
          .begin(new SourcePosition(0, 77, 5))
          .orElseThrow()
          .complete(LoadCounts.NONE, List.of());
    }
    List<Long> missed = new ArrayList<>();
    for (String others : List.of("a\n", "three\nshort\nlines\n", "one line that is longer\n")) {
      Files.writeString(elsewhere, others);
      try (Job job = jobs().open("one", JobShard.WHOLE)) {
        Path rejects = job.rejects(Optional.of(elsewhere), missed::add);
        assertEquals(others, Files.readString(rejects));
      }
    }
    Files.delete(elsewhere);
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      assertFalse(Files.exists(job.rejects(Optional.of(elsewhere), missed::add)));
    }
    assertEquals(List.of(2L, 2L, 2L, 2L), missed);
    Files.writeString(elsewhere, "first\nsecond\nthird");
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      Path rejects = job.rejects(Optional.of(elsewhere), JobTest::unexpected);
      assertEquals("first\nsecond\n", Files.readString(rejects));
    }
  }

  @Test
  void rejectsMayGoWhereNothingIsKept() throws Exception {
    Path nowhere = Path.of("/dev/null");
    try (Job job = create("one")) {
      job.takeSeries(new SeriesNames());
      assertEquals(nowhere, job.rejects(Optional.of(nowhere), JobTest::unexpected));
      job.checkpoints(Duration.ofSeconds(0), () -> Map.of("no point", 2L))
          .begin(new SourcePosition(0, 77, 5))
          .orElseThrow()
          .complete(LoadCounts.NONE, List.of());
    }
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      assertEquals(nowhere, job.rejects(Optional.of(nowhere), JobTest::unexpected));
    }
  }

  /** An interrupt fails the record's way to disk, and closes the file before it can be cut. */
  @Test
  void openHoursOfARecordThatWasNotSaidToBeOnTheLedgerStay() throws Exception {
    for (int attempt = 0; ; attempt++) {
      String id = "job" + attempt;
      AtomicReference<@Nullable IOException> failed = new AtomicReference<>();
      try (Job job = create(id)) {
        Checkpoints checkpoints = job.checkpoints(Duration.ofSeconds(0), 0);
        SourcePosition position = new SourcePosition(0, 1, 0);
        checkpoints.begin(position).orElseThrow().complete(LoadCounts.NONE, List.of(hours(job, 1)));
        Checkpoints.Pending second = checkpoints.begin(new SourcePosition(0, 2, 0)).orElseThrow();
        HourFile hours = hours(job, 2);
        Path ledger = job.folder().resolve(Ledger.FILE);
        long before = Files.size(ledger);
        Thread shard =
            new Thread(
                () -> {
                  try {
                    second.complete(LoadCounts.NONE, List.of(hours));
                  } catch (IOException e) {
                    failed.set(e);
                  }
                });
        shard.start();
        while (Files.size(ledger) == before && shard.isAlive()) {
          Thread.onSpinWait();
        }
        shard.interrupt();
        shard.join();
      }
      try (Job job = jobs().open(id, JobShard.WHOLE)) {
        OpenHours open = job.openHours(0);
        open.close();
        if (failed.get() != null && job.checkpoint(0).orElseThrow().position().offset() == 2) {
          return;
        }
      }
      assertTrue(attempt < 1000, "never interrupted at the right moment");
    }
  }

  private static HourFile hours(Job job, int... bytes) throws Exception {
    Path file = job.newHourFile();
    byte[] content = new byte[bytes.length];
    CRC32C crc = new CRC32C();
    for (int i = 0; i < bytes.length; i++) {
      content[i] = (byte) bytes[i];
    }
    crc.update(content);
    Files.write(file, content);
    return new HourFile(file, (int) crc.getValue());
  }

  private static Set<String> hoursOf(Job job) throws Exception {
    try (Stream<Path> files = Files.list(job.folder())) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith("hours"))
          .collect(Collectors.toSet());
    }
  }

  @Test
  void openHoursThatWereDamagedAreRefused() throws Exception {
    try (Job job = create("one")) {
      job.checkpoints(Duration.ofSeconds(1), 3)
          .begin(new SourcePosition(3, 1, 0))
          .orElseThrow()
          .complete(LoadCounts.NONE, List.of(hours(job, 1, 2, 3)));
    }
    try (Job job = jobs().open("one", JobShard.WHOLE)) {
      Path hours = job.folder().resolve(job.checkpoint(3).orElseThrow().hours().get(0).file());
      assertTrue(job.openHours(3) != null);
      Files.write(hours, new byte[] {1, 2, 4});
      assertThrows(IOException.class, () -> job.openHours(3));
      Files.delete(hours);
      assertThrows(IOException.class, () -> job.openHours(3));
    }
  }

  @Test
  void inputsAreKnownByTheirContent() throws Exception {
    Path file = folder.resolve("file");
    byte[] content = new byte[9_000_000];
    Files.write(file, content);
    JobInput one = JobInput.of("one", file);
    assertEquals(content.length, one.bytes());
    assertTrue(one.sameContent(JobInput.of("another name", file)));
    for (int changed : new int[] {0, 1 << 15, content.length - 1}) {
      byte[] other = content.clone();
      other[changed] = 1;
      Files.write(file, other);
      assertFalse(one.sameContent(JobInput.of("one", file)), "byte " + changed);
    }
    for (int length : new int[] {0, 1, 1 << 16, (1 << 22) - 1, 1 << 22, (1 << 22) + 1}) {
      Files.write(file, new byte[length]);
      assertFalse(one.sameContent(JobInput.of("one", file)));
      assertEquals(length, JobInput.of("one", file).bytes());
    }
  }

  @Test
  void shardsOfOneJobAreTakenOneByOneOrAllTogether() throws Exception {
    JobShard first = new JobShard(1, 3);
    JobShard third = new JobShard(3, 3);
    create("one").close();
    try (Job job = create("many", third);
        Job other = create("many", first)) {
      assertTrue(jobs().isHeld(job.manifest()));
      other.recording(() -> new LoaderId(5, 1)).next();
      JobException held =
          assertThrows(JobException.class, () -> JobShards.open(jobs(), "many", Optional.empty()));
      assertTrue(String.valueOf(held.getMessage()).contains("shard 1/3 of job many"));
    }
    try (JobShards all = JobShards.open(jobs(), "many", Optional.empty())) {
      assertEquals(
          List.of(first, third), all.jobs().stream().map(job -> job.manifest().part()).toList());
      assertEquals(1, all.jobs().get(0).history().loaders().size());
      assertThrows(JobException.class, () -> jobs().open("many", third));
    }
    try (JobShards one = JobShards.open(jobs(), "many", Optional.of(third))) {
      assertEquals(third, one.jobs().get(0).manifest().part());
    }
    assertEquals(
        List.of("many", "many", "one"),
        jobs().list().jobs().stream().map(entry -> entry.manifest().id()).toList());
    for (JobShard wrong : List.of(first, new JobShard(1, 2), JobShard.WHOLE)) {
      assertThrows(JobException.class, () -> create("many", wrong), wrong.toString());
    }
    assertThrows(JobException.class, () -> create("one", first));
    assertThrows(JobException.class, () -> create("one"));
    assertThrows(JobException.class, () -> jobs().open("many", new JobShard(2, 3)));
    assertThrows(JobException.class, () -> jobs().open("many", JobShard.WHOLE));
  }

  @Test
  void shardsHaveEveryInputOnce() {
    List<String> inputs = List.of("a", "b", "c", "d", "e");
    assertEquals(List.of("a", "d"), new JobShard(1, 3).of(inputs));
    assertEquals(List.of("b", "e"), new JobShard(2, 3).of(inputs));
    assertEquals(List.of("c"), new JobShard(3, 3).of(inputs));
    assertEquals(List.of(), new JobShard(9, 9).of(inputs));
    assertEquals(inputs, JobShard.WHOLE.of(inputs));
  }

  @Test
  void whatIsStagedElsewhereIsAdoptedOnceHoweverOften() throws Exception {
    LoadCounts counts = new LoadCounts(10, 10, 0, 0, 2, 200, 150);
    List<Path> beside;
    try (Job job = create("one")) {
      job.recording(() -> new LoaderId(9, 1234)).next();
      SeriesNames names = new SeriesNames();
      job.takeSeries(names).take(0, 500);
      names.intern(A);
      long kept = job.keepSeries();
      assertTrue(kept > 0);
      beside = job.describeStaged(counts, Map.of("no point", 2L), true, "digest");
    }
    StagedJob staged = StagedJob.read(Files.readAllBytes(beside.get(0)));
    JobFolder elsewhere = new JobFolder(folder.resolve("elsewhere"));
    Path from = folder.resolve("jobs/one");
    for (JobFolder jobs : List.of(elsewhere, elsewhere, jobs(), jobs())) {
      try (Job job = jobs.adopt(staged, (name, to) -> copy(from.resolve(name), to))) {
        assertEquals(JobState.STAGED, job.history().state());
        assertEquals(List.of(new LoaderId(9, 1234)), job.history().loaders());
        assertEquals(counts, job.history().counts());
        SeriesNames names = new SeriesNames();
        assertEquals(500, job.takeSeries(names).ofSeries(0));
        assertEquals(A, names.get(0));
      }
    }
    try (Job job = elsewhere.open("one", JobShard.WHOLE)) {
      job.reach(JobState.LOADED, counts, Map.of());
    }
    try (Job job = elsewhere.adopt(staged, (name, to) -> copy(from.resolve(name), to))) {
      assertEquals(JobState.LOADED, job.history().state());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    if (!from.equals(to)) {
      Files.write(to, Files.readAllBytes(from));
    }
  }

  @Test
  void idsTellTheirTimeAndDiffer() {
    Instant now = Instant.parse("2024-02-03T04:05:06Z");
    assertTrue(JobFolder.newId(now).matches("20240203-040506-[0-9a-f]{4}"));
    assertNotEquals(
        java.util.stream.Stream.generate(() -> JobFolder.newId(now)).limit(9).distinct().count(),
        1);
  }
}
