package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class CausesTest {
  @Test
  void aCauseIsTheFirstLineOfTheInnermostMessage() {
    assertEquals(
        "no room",
        Causes.sentence(new IOException("a file", new IOException("no room \n at somewhere"))));
    assertEquals("IOException", Causes.sentence(new IOException()));
  }

  @Test
  void aHeapThatIsTooSmallSaysWhatToSet() {
    long mebibytes = Runtime.getRuntime().maxMemory() >> 20;
    assertEquals(
        "out of memory (Java heap space); the heap is "
            + mebibytes
            + " MiB, set PACKHORSE_HEAP to a larger one",
        Causes.sentence(new IOException(new OutOfMemoryError("Java heap space"))));
  }
}
