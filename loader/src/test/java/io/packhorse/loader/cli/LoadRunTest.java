package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LoadRunTest {
  @Test
  void aCauseIsTheFirstLineOfTheInnermostMessage() {
    assertEquals(
        "no room",
        LoadRun.cause(new IOException("a file", new IOException("no room \n at somewhere"))));
    assertEquals("IOException", LoadRun.cause(new IOException()));
  }

  @Test
  void aHeapThatIsTooSmallSaysWhatToSet() {
    long mebibytes = Runtime.getRuntime().maxMemory() >> 20;
    assertEquals(
        "out of memory (Java heap space), the heap is "
            + mebibytes
            + " MiB and PACKHORSE_HEAP sets a larger one",
        LoadRun.cause(new IOException(new OutOfMemoryError("Java heap space"))));
  }
}
