package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogTailTest {
  @TempDir private Path temp = Path.of("");

  @Test
  void prefersTheLastErrorToLaterChatter() throws Exception {
    Path log =
        write("WARN early\nERROR first\nERROR disk full\n\tat some.Stack(Frame.java)\nbye\n");
    assertEquals("ERROR disk full", LogTail.lastLine(log));
  }

  @Test
  void findsWhatHBaseAbortedWith() throws Exception {
    Path log =
        write(
            """
            ERROR master.HMaster: ***** ABORTING master x: Unhandled exception. *****
            java.io.IOException: No space left on device
                at a.B(C.java)
            ERROR main: start failed
            """);
    assertEquals("java.io.IOException: No space left on device", LogTail.lastLine(log));
  }

  @Test
  void looksIntoTheNextFileForAnError() throws Exception {
    Path quiet = write("started\n");
    Path other = Files.writeString(temp.resolve("other"), "java.lang.Error: no\n");
    assertEquals("java.lang.Error: no", LogTail.lastLine(quiet, other));
  }

  @Test
  void fallsBackToTheLastLineOrNone() throws Exception {
    assertEquals("bye", LogTail.lastLine(write("hello\nbye\n\n")));
    assertEquals("no reason given", LogTail.lastLine(temp.resolve("missing")));
  }

  @Test
  void readsTheEndOfALongFileAndCutsALongLine() throws Exception {
    Path log = write("x".repeat(100_000) + "\n" + "ERROR " + "y".repeat(500));
    assertEquals(300, LogTail.lastLine(log).length());
  }

  private Path write(String text) throws Exception {
    return Files.writeString(temp.resolve("log"), text);
  }
}
