package io.packhorse.loader.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback ports, tried by binding them.
 *
 * <p>A port that is free now is bound by another process a little later. In between it must not go
 * to anybody's outgoing connection, so it comes from below the ranges that systems give to those
 * (Linux: {@code net.ipv4.ip_local_port_range}, from 32768; IANA: from 49152).
 */
final class Ports {
  private static final int LOWEST = 20_000;
  private static final int BEYOND = 32_000;
  private static final int TRIES = 1_000;

  private Ports() {}

  /**
   * The port asked for, or else the one used last, or else any.
   *
   * @param wanted port given by the user; must be free
   * @param last port to take if it is free
   * @param spokenFor ports of servers that are not up yet; none of them is "any"
   * @throws StoreException if the wanted port is taken, or no port is free
   */
  static int choose(String what, OptionalInt wanted, OptionalInt last, Set<Integer> spokenFor)
      throws StoreException {
    if (wanted.isPresent()) {
      if (!isFree(wanted.getAsInt())) {
        throw StoreException.refused(
            what
                + " port "
                + wanted.getAsInt()
                + " is taken by another process; give another one, or none for a free one");
      }
      return wanted.getAsInt();
    }
    return last.isPresent() && isFree(last.getAsInt()) ? last.getAsInt() : anyFree(what, spokenFor);
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int anyFree(String what, Set<Integer> spokenFor) throws StoreException {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
      if (!spokenFor.contains(port) && isFree(port)) {
        return port;
      }
    }
    throw StoreException.refused(
        "no free " + what + " port found from " + LOWEST + " to " + (BEYOND - 1));
  }
}
