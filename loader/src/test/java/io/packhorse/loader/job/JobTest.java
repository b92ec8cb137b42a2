package io.packhorse.loader.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourFile;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
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
    return jobs()
        .create(
            new Manifest(
                Manifest.VERSION,
                id,
                "2024-01-01T00:00:00Z",
                "test",
                List.of("load", "a b.txt"),
                "/",
                "tsdb",
                "packed",
                "puts",
                2,
                List.of(new JobInput("a b.txt", 5, "00")),
                true));
  }

  @Test
  void oneProcessAtATimeWorksOnAJob() throws Exception {
    try (Job job = create("one")) {
      JobException thrown = assertThrows(JobException.class, () -> jobs().open("one"));
      assertTrue(String.valueOf(thrown.getMessage()).contains("another process"));
      assertEquals("one", job.manifest().id());
    }
    assertFalse(jobs().isHeld("one"));
    try (Job again = jobs().open("one")) {
      assertEquals(List.of("load", "a b.txt"), again.manifest().arguments());
    }
  }

  @Test
  void whatIsNoJobIsNotOpened() throws Exception {
    assertEquals(List.of(), jobs().list());
    create("one").close();
    for (String wrong : List.of("two", "", "..", "one/../one", ".")) {
      assertThrows(JobException.class, () -> jobs().open(wrong), wrong);
    }
    assertEquals(1, jobs().list().size());
  }

  @Test
  void loaderIdsAreOnTheLedgerBeforeTheyAreUsed() throws Exception {
    try (Job job = create("one")) {
      LoaderId taken = job.recording(() -> new LoaderId(9, 1234)).next();
      assertEquals(List.of(taken), jobs().look("one").history().loaders());
    }
  }

  @Test
  void goesOnFromTheLastCheckpointAndForgetsWhatCameAfter() throws Exception {
    LoadCounts counts = new LoadCounts(10, 6, 1, 6, 2, 200, 150);
    SourcePosition position = new SourcePosition(0, 77, 5);
    try (Job job = create("one")) {
      SeriesNames names = new SeriesNames();
      LastTimes times = job.takeSeries(names);
      Path rejects = job.rejects(Optional.empty());
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
    try (Job job = jobs().open("one")) {
      assertEquals(4, job.tornBytes());
      Files.write(job.newHourFile(), new byte[3]);
      job.tidy();
      assertEquals(Set.of("hours-1", "hours-2"), hoursOf(job));
      assertEquals(position, job.checkpoint(0).orElseThrow().position());
      assertEquals(new LoadCounts(7, 6, 1, 6, 2, 200, 150), job.before());
      assertEquals(Map.of("no point", 1L), job.rejectedBefore());
      assertEquals("first\n", Files.readString(job.rejects(Optional.empty())));
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
      assertEquals(12, jobs().look("one").history().counts().read());
      assertEquals(11, jobs().look("one").history().counts().packed());
      job.reach(JobState.LOADED, counts, Map.of());
    }
    assertEquals(JobState.LOADED, jobs().look("one").history().state());
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
    try (Job job = jobs().open("one")) {
      assertEquals(Set.of("hours-1", "hours-3"), hoursOf(job), "spilled since, and given up");
      job.reach(JobState.LOADED, LoadCounts.NONE, Map.of());
      assertEquals(Set.of(), hoursOf(job));
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
    try (Job job = jobs().open("one")) {
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
  void idsTellTheirTimeAndDiffer() {
    Instant now = Instant.parse("2024-02-03T04:05:06Z");
    assertTrue(JobFolder.newId(now).matches("20240203-040506-[0-9a-f]{4}"));
    assertNotEquals(
        java.util.stream.Stream.generate(() -> JobFolder.newId(now)).limit(9).distinct().count(),
        1);
  }
}
