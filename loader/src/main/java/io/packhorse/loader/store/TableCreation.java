package io.packhorse.loader.store;

import java.io.IOException;

/** Creates missing tables, after HBase has started and before a TSD does. */
@FunctionalInterface
public interface TableCreation {
  /**
   * Creates missing tables; existing ones are not changed.
   *
   * @param zookeeperQuorum {@code host:port} of the store's ZooKeeper
   */
  void createMissing(String zookeeperQuorum) throws IOException;
}
