package io.packhorse.embedded;

import java.nio.file.Path;

/**
 * Where things lie in a store directory; the starter knows the same names.
 *
 * @param root the store directory, absolute
 */
record StoreLayout(Path root) {
  Path hbase() {
    return root.resolve("hbase");
  }

  Path zookeeper() {
    return root.resolve("zookeeper");
  }

  Path temporary() {
    return root.resolve("tmp");
  }

  /** Locked by the running server for as long as it lives. */
  Path lock() {
    return root.resolve("run").resolve("hbase.lock");
  }

  /** One line for the starter: {@code ready} or {@code failed: reason}. */
  Path status() {
    return root.resolve("run").resolve("hbase.status");
  }
}
