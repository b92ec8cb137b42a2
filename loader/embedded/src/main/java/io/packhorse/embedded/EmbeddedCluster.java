package io.packhorse.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.master.HMaster;

/**
 * ZooKeeper, one master and one region server in this JVM.
 *
 * <p>Safe for use by several threads: {@link #close} may be called while another waits in {@link
 * #awaitEnd}, and more than once.
 */
final class EmbeddedCluster implements AutoCloseable {
  /** It takes some seconds; after a kill, on a machine that is busy, it was once over 120. */
  private static final long START_MS_MAX = 360_000;

  private static final long POLL_MS = 20;

  private final Configuration conf;
  private final EmbeddedZooKeeper zookeeper;
  private final LocalHBaseCluster hbase;
  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean closed;

  private EmbeddedCluster(
      Configuration conf, EmbeddedZooKeeper zookeeper, LocalHBaseCluster hbase) {
    this.conf = conf;
    this.zookeeper = zookeeper;
    this.hbase = hbase;
  }

  /**
   * Starts all three; returns when tables can be created and read.
   *
   * @throws IOException if one fails, with the reason; everything is stopped again
   */
  static EmbeddedCluster start(EmbeddedOptions options) throws IOException, InterruptedException {
    StoreLayout layout = new StoreLayout(options.dir());
    Configuration conf = StoreConfiguration.of(options);
    Files.createDirectories(layout.hbase());
    Files.createDirectories(layout.temporary());
    DurabilityProbe.check(conf, layout.temporary());
    EmbeddedZooKeeper zookeeper =
        EmbeddedZooKeeper.start(
            layout.zookeeper(), options.zookeeperPort(), StoreConfiguration.SESSION_MS);
    EmbeddedCluster cluster;
    try {
      LocalHBaseCluster hbase = new LocalHBaseCluster(conf, 1, 1);
      cluster = new EmbeddedCluster(conf, zookeeper, hbase);
      // Not LocalHBaseCluster.startup(), which waits for minutes if a server has died.
      hbase.getMasters().forEach(Thread::start);
    } catch (IOException | RuntimeException e) {
      zookeeper.close();
      throw e;
    }
    try {
      cluster.awaitInitialized();
    } catch (IOException | InterruptedException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** The cluster's configuration, for clients in this JVM; not to be changed. */
  Configuration configuration() {
    return conf;
  }

  private void awaitInitialized() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_MS_MAX * 1_000_000;
    boolean regionServerStarted = false;
    while (true) {
      HMaster master = hbase.getActiveMaster();
      if (master != null && master.isInitialized()) {
        return;
      }
      if (master != null && !regionServerStarted) {
        // Not before the master: a region server without one retries at growing intervals.
        hbase.getRegionServers().forEach(Thread::start);
        regionServerStarted = true;
      }
      if (regionServerStarted ? !alive() : hbase.getLiveMasters().isEmpty()) {
        throw new IOException("HBase stopped while starting");
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("HBase did not start within " + START_MS_MAX / 1000 + " s");
      }
      Thread.sleep(POLL_MS);
    }
  }

  private boolean alive() {
    return !hbase.getLiveMasters().isEmpty() && !hbase.getLiveRegionServers().isEmpty();
  }

  /** Waits until {@link #close} has returned, or the master or region server has failed. */
  void awaitEnd() throws InterruptedException {
    while (alive()) {
      Thread.sleep(250);
    }
    if (closed()) {
      ended.await();
    }
  }

  /** Whether {@link #close} was called. */
  synchronized boolean closed() {
    return closed;
  }

  /** Flushes and closes the regions, then stops ZooKeeper. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      hbase.shutdown();
      hbase.join();
      zookeeper.close();
    } finally {
      ended.countDown();
    }
  }
}
