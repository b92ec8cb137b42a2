package io.packhorse.loader.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.source.record.Rejects;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/** Only the numbers of lines change. */
final class MovedRejectsTest {
  private static final String WRITTEN = "7 a.txt\t9\t1234\twhy 5\t17 x\nb\t10\t\twhy\t\\t3\n";
  private static final String MOVED = "7 a.txt\t1009\t1234\twhy 5\t17 x\nb\t1010\t\twhy\t\\t3\n";

  @Test
  void linesAreCountedFromTheBeginningOfTheFile() throws IOException {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    try (OutputStream moved = new MovedRejects(to, 1000)) {
      moved.write(WRITTEN.getBytes(UTF_8), 0, 9);
      moved.write(WRITTEN.getBytes(UTF_8), 9, WRITTEN.length() - 9);
    }
    assertEquals(MOVED, to.toString(UTF_8));
  }

  @Test
  void theFirstPartOfAFileStaysAsItIs() throws IOException {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    try (OutputStream moved = new MovedRejects(to, 0)) {
      moved.write(WRITTEN.getBytes(UTF_8));
    }
    assertEquals(WRITTEN, to.toString(UTF_8));
  }

  @Test
  void sentencesForPeopleAreMovedToo() {
    assertEquals(
        "in:3.txt:1017 (byte 4): why 5: text",
        Rejects.moved("in:3.txt:17 (byte 4): why 5: text", "in:3.txt", 1000));
  }
}
