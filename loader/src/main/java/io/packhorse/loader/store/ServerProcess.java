package io.packhorse.loader.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process of ours that may have ended long ago: its number and when it began, since numbers come
 * back.
 *
 * @param pid process id
 * @param startedMs when it started, milliseconds since the epoch
 */
public record ServerProcess(long pid, long startedMs) {
  /** The clock's own steps move the start time seen by another process a little. */
  private static final long START_TOLERANCE_MS = 2_000;

  private static final long POLL_MS = 20;

  static ServerProcess of(ProcessHandle handle) {
    return new ServerProcess(handle.pid(), startOf(handle));
  }

  /** Whether this very process is running still. */
  public boolean isAlive() {
    return handle().isPresent();
  }

  /** Asks the process to end, then makes it; returns whether it ended in order. */
  boolean stop(Duration patience) throws InterruptedException {
    terminate();
    if (awaitEnd(patience)) {
      return true;
    }
    kill();
    return false;
  }

  /** Asks the process to end; does not wait. */
  void terminate() {
    handle().ifPresent(ProcessHandle::destroy);
  }

  /** Ends the process without asking; waits until it is gone. */
  void kill() throws InterruptedException {
    handle().ifPresent(ProcessHandle::destroyForcibly);
    awaitEnd(Duration.ofSeconds(10));
  }

  private boolean awaitEnd(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (isAlive()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(POLL_MS);
    }
    return true;
  }

  private Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(found -> Math.abs(startOf(found) - startedMs) <= START_TOLERANCE_MS)
        .filter(found -> !isZombie(pid));
  }

  private static long startOf(ProcessHandle handle) {
    return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Ended but not yet collected by its parent; in a container perhaps never. */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (NoSuchFileException noProcFileSystem) {
      return false;
    } catch (IOException ended) {
      return true;
    }
  }
}
