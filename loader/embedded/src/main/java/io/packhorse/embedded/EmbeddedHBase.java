package io.packhorse.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HBase process of a store: runs until SIGTERM, until its parent ends, or until HBase fails.
 *
 * <p>It holds the lock of the store directory, writes its process id and ports, and one line to the
 * status file: {@code ready}, or {@code failed} with the reason. Exit code 0 after a regular stop,
 * 1 otherwise.
 */
public final class EmbeddedHBase {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedHBase.class);

  /** Above Hadoop's 10 for file systems, so that regions close before file systems. */
  private static final int SHUTDOWN_PRIORITY = 100;

  private static final long SHUTDOWN_SECONDS_MAX = 300;

  private EmbeddedHBase() {}

  /** Arguments as in {@link EmbeddedOptions#parse}. */
  public static void main(String[] args) throws InterruptedException, IOException {
    System.exit(run(EmbeddedOptions.parse(args)));
  }

  private static int run(EmbeddedOptions options) throws InterruptedException, IOException {
    StoreLayout layout = new StoreLayout(options.dir());
    Files.createDirectories(layout.lock().getParent());
    try (FileChannel file =
        FileChannel.open(layout.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      FileLock lock = file.tryLock();
      if (lock == null) {
        // The status file belongs to that one.
        System.err.println("another HBase is running in " + options.dir());
        return 1;
      }
      replace(layout.process(), options.describe(ProcessHandle.current()));
      return serve(options, layout);
    }
  }

  private static int serve(EmbeddedOptions options, StoreLayout layout)
      throws InterruptedException, IOException {
    EmbeddedCluster cluster;
    try {
      cluster = EmbeddedCluster.start(options);
    } catch (IOException | RuntimeException e) {
      LOG.error("start failed", e);
      report(layout, "failed: " + rootReason(e));
      return 1;
    }
    ShutdownHookManager.get()
        .addShutdownHook(cluster::close, SHUTDOWN_PRIORITY, SHUTDOWN_SECONDS_MAX, TimeUnit.SECONDS);
    options.parent().ifPresent(EmbeddedHBase::stopWith);
    report(layout, "ready");
    cluster.awaitEnd();
    if (cluster.closed()) {
      return 0;
    }
    LOG.error("HBase has failed; the lines above say why");
    return 1;
  }

  /** Stops this process when the other one ends. */
  private static void stopWith(long parent) {
    Thread watch =
        new Thread(
            () -> {
              ProcessHandle.of(parent).ifPresent(process -> process.onExit().join());
              System.exit(0);
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  /** The innermost cause in one line, because HBase wraps the reason several times. */
  private static String rootReason(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    String name = root.getClass().getSimpleName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("");
  }

  private static void report(StoreLayout layout, String line) throws IOException {
    replace(layout.status(), line + "\n");
  }

  private static void replace(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
