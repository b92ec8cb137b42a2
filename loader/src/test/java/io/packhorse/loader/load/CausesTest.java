package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
  void aRefusedConnectionIsSaidInWords() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port)).build();
    IOException e =
        assertThrows(
            IOException.class,
            () -> HttpClient.newHttpClient().send(request, BodyHandlers.discarding()));
    assertEquals("the connection was refused or closed", Causes.sentence(e));
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
