package io.packhorse.loader.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.OptionalInt;

/** Loopback ports, tried by binding them. */
final class Ports {
  private Ports() {}

  /**
   * The port asked for, or else the one used last, or else any.
   *
   * @param wanted port given by the user; must be free
   * @param last port to take if it is free
   * @throws StoreException if the wanted port is taken
   */
  static int choose(String what, OptionalInt wanted, OptionalInt last)
      throws StoreException, IOException {
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
    return last.isPresent() && isFree(last.getAsInt()) ? last.getAsInt() : anyFree();
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

  private static int anyFree() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
