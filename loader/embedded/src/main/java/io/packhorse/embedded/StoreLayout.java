package io.packhorse.embedded;

import java.nio.file.Path;

/**
 * Paths in a store directory, the same as those of the loader.
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

  /** Locked by the running server. */
  Path lock() {
    return root.resolve("run").resolve("hbase.lock");
  }

  /** Process and ports of the server that holds the lock, as the loader's state has them. */
  Path process() {
    return root.resolve("run").resolve("hbase.properties");
  }

  /** One line: {@code ready} or {@code failed: reason}. */
  Path status() {
    return root.resolve("run").resolve("hbase.status");
  }
}
