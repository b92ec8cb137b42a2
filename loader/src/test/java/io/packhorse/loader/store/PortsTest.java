package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class PortsTest {
  @Test
  void refusesATakenPortThatWasAskedFor() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      StoreException e =
          assertThrows(
              StoreException.class,
              () -> Ports.choose("ZooKeeper", OptionalInt.of(port), OptionalInt.empty()));
      assertTrue(e.toString().contains("ZooKeeper port " + port + " is taken"), e.getMessage());
    }
  }

  @Test
  void takesLastTimesPortIfItIsFreeAndAnotherIfNot() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
      assertNotEquals(port, Ports.choose("x", OptionalInt.empty(), OptionalInt.of(port)));
    }
    assertEquals(port, Ports.choose("x", OptionalInt.empty(), OptionalInt.of(port)));
  }

  @Test
  void findsAFreePort() throws Exception {
    assertTrue(Ports.isFree(Ports.choose("x", OptionalInt.empty(), OptionalInt.empty())));
  }
}
