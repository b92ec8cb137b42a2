package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PortsTest {
  private static final OptionalInt NONE = OptionalInt.empty();

  @Test
  void refusesAGivenPortThatIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      StoreException e =
          assertThrows(
              StoreException.class,
              () -> Ports.choose("ZooKeeper", OptionalInt.of(port), NONE, Set.of()));
      assertTrue(e.toString().contains("ZooKeeper port " + port + " is used"), e.getMessage());
    }
  }

  @Test
  void prefersTheLastPortIfItIsFree() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
      assertNotEquals(port, Ports.choose("x", NONE, OptionalInt.of(port), Set.of()));
    }
    assertEquals(port, Ports.choose("x", NONE, OptionalInt.of(port), Set.of()));
  }

  @Test
  void findsFreePortsThatNoOutgoingConnectionGets() throws Exception {
    Set<Integer> found = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int port = Ports.choose("x", NONE, NONE, found);
      assertTrue(port < 32_768 && Ports.isFree(port), () -> "port " + port);
      assertTrue(found.add(port), () -> "port " + port + " twice");
    }
  }

  @Test
  void leavesALastPortToTheServerItIsGivenTo() {
    ServerOptions options =
        new ServerOptions(NONE, NONE, OptionalInt.of(4242), Set.of(TsdKind.values()), NONE, false);
    assertEquals(NONE, options.unlessGiven(OptionalInt.of(4242)));
    assertEquals(OptionalInt.of(4243), options.unlessGiven(OptionalInt.of(4243)));
    assertEquals(NONE, options.unlessGiven(NONE));
  }

  @Test
  void saysThatNoPortIsFree() {
    Set<Integer> all = IntStream.range(0, 65_536).boxed().collect(Collectors.toSet());
    StoreException e =
        assertThrows(StoreException.class, () -> Ports.choose("TSD", NONE, NONE, all));
    assertTrue(e.toString().contains("no free TSD port found from "), e.toString());
  }
}
