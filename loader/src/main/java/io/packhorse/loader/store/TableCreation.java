package io.packhorse.loader.store;

import java.io.IOException;

/** Creates the tables that are missing, after HBase has started and before the TSD does. */
@FunctionalInterface
public interface TableCreation {
  /**
   * Creates what is missing and leaves the rest as it is.
   *
   * @param zookeeperQuorum {@code host:port} of the store's ZooKeeper
   */
  void createMissing(String zookeeperQuorum) throws IOException;
}
