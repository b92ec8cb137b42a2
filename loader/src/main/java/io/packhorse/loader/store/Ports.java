package io.packhorse.loader.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free loopback ports, by trying to bind them. Any number of threads.
 *
 * <p>The server binds its port a little later. Until then no outgoing connection may take it, so
 * ports are chosen below the ranges for outgoing connections (Linux: from 32768, IANA: from 49152).
 */
final class Ports {
  private static final int LOWEST = 20_000;
  private static final int BEYOND = 32_000;
  private static final int TRIES = 1_000;

  private Ports() {}

  /**
   * The wanted port, else the last one if it is free, else any free one.
   *
   * @param wanted port given by the user; must be free
   * @param last port used last
   * @param reserved ports of other servers, which are not chosen
   * @throws StoreException if the wanted port is taken, or no port is free
   */
  static int choose(String what, OptionalInt wanted, OptionalInt last, Set<Integer> reserved)
      throws StoreException {
    if (wanted.isPresent()) {
      if (!isFree(wanted.getAsInt())) {
        throw StoreException.refused(
            what
                + " port "
                + wanted.getAsInt()
                + " is used by another process; give another port, or none for a free one");
      }
      return wanted.getAsInt();
    }
    return last.isPresent() && isFree(last.getAsInt()) ? last.getAsInt() : anyFree(what, reserved);
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

  private static int anyFree(String what, Set<Integer> reserved) throws StoreException {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
      if (!reserved.contains(port) && isFree(port)) {
        return port;
      }
    }
    throw StoreException.refused(
        "no free " + what + " port found from " + LOWEST + " to " + (BEYOND - 1));
  }
}
