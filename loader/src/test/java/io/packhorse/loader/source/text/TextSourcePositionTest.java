package io.packhorse.loader.source.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.opentsdb.ImportLines;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextSourcePositionTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** Gives a few bytes a read, so that batches end anywhere. */
  private static final class Trickle extends ByteArrayInputStream {
    private final SplittableRandom random;

    Trickle(byte[] bytes, long seed) {
      super(bytes);
      random = new SplittableRandom(seed);
    }

    @Override
    public int read(byte[] into, int from, int length) {
      return super.read(into, from, Math.min(length, 1 + random.nextInt(400)));
    }
  }

  @Test
  void aSourceOpenedAtAPositionGivesTheRest() throws Exception {
    int positions = 0;
    for (long seed = 1; seed <= 40; seed++) {
      List<byte[]> files = files(new SplittableRandom(seed));
      List<String> all = new ArrayList<>();
      List<SourcePosition> places = new ArrayList<>();
      List<Integer> given = new ArrayList<>();
      List<Long> rejected = new ArrayList<>();
      Path rejectsFile = folder.resolve(seed + ".tsv");
      long rejects;
      try (Rejects into = new Rejects(rejectsFile);
          TextSource source = source(inputs(files, seed), into, SourcePosition.START)) {
        for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
          describe(batch, all);
          if (source.position().isPresent()) {
            places.add(source.position().get());
            given.add(all.size());
            rejected.add(into.total());
          }
        }
        places.add(source.position().orElseThrow());
        given.add(all.size());
        rejected.add(into.total());
        rejects = into.total();
      }
      List<String> rejectLines = Files.readAllLines(rejectsFile);
      for (int i = 0; i < places.size(); i += 2) {
        positions++;
        String with = "seed " + seed + ", " + places.get(i);
        List<String> rest = new ArrayList<>();
        Path restRejects = folder.resolve("rest.tsv");
        Files.deleteIfExists(restRejects);
        try (Rejects into = new Rejects(restRejects);
            TextSource source = source(inputs(files, seed + i), into, places.get(i))) {
          for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
            describe(batch, rest);
          }
          assertEquals(rejects, rejected.get(i) + into.total(), with);
        }
        assertEquals(all.subList(given.get(i), all.size()), rest, with);
        int from = Math.toIntExact(rejected.get(i));
        assertEquals(
            rejectLines.subList(from, rejectLines.size()),
            from == rejectLines.size() ? List.of() : Files.readAllLines(restRejects),
            with);
      }
    }
    assertTrue(positions > 200, "positions=" + positions);
  }

  private static TextSource source(List<Input> inputs, Rejects rejects, SourcePosition from) {
    SeriesReader reader = new SeriesReader(new SeriesNames(), SeriesRules.NONE);
    ImportLines format = new ImportLines(reader, new LineTime(TimestampUnit.OPENTSDB));
    return new TextSource(inputs, head -> format, new Points(SeriesRules.NONE, rejects), from);
  }

  private static List<Input> inputs(List<byte[]> files, long seed) {
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      byte[] bytes = files.get(i);
      inputs.add(new Input("file" + i, () -> trickle(bytes, seed)));
    }
    return inputs;
  }

  private static InputStream trickle(byte[] bytes, long seed) {
    return new Trickle(bytes, seed);
  }

  private static List<byte[]> files(SplittableRandom random) throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (int file = 0; file < 3; file++) {
      StringBuilder text = new StringBuilder();
      int lines = random.nextInt(120);
      for (int line = 0; line < lines; line++) {
        text.append(
            switch (random.nextInt(9)) {
              case 0 -> "no point";
              case 1 -> "";
              case 2 -> "# remark";
              default ->
                  "m " + (1_700_000_000 + random.nextInt(99)) + " " + random.nextInt(9) + " a=b";
            });
        text.append(random.nextInt(5) == 0 ? "\r\n" : "\n");
      }
      if (random.nextInt(4) == 0) {
        text.append("x".repeat(TextSource.RECORD_BYTES_MAX + 100)).append("\nm 1 1 a=b");
      }
      byte[] plain = text.toString().getBytes(StandardCharsets.US_ASCII);
      files.add(random.nextBoolean() ? plain : gzip(plain));
    }
    return files;
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private static void describe(PointBatch batch, List<String> into) {
    for (int i = 0; i < batch.points(); i++) {
      into.add(batch.timestampsMs()[i] + " " + batch.bits()[i]);
    }
  }
}
