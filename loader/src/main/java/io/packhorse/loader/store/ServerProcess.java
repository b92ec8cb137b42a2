package io.packhorse.loader.store;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A server process that may have ended. Identified by number and start time, because systems reuse
 * process numbers. Immutable; any thread.
 *
 * @param pid process id
 * @param startedMs when it started, milliseconds since 1970
 */
public record ServerProcess(long pid, long startedMs) {
  /** Clock adjustments shift the start time that the system reports a little. */
  private static final long START_TOLERANCE_MS = 2_000;

  private static final long POLL_MS = 20;
  private static final long LONG_POLL_MS = 500;

  static ServerProcess of(ProcessHandle handle) {
    return new ServerProcess(handle.pid(), startOf(handle));
  }

  /** Whether this process is still running. */
  public boolean isAlive() {
    return handle().isPresent();
  }

  /** Terminates the process, and kills it after a wait; returns whether it ended without a kill. */
  @CanIgnoreReturnValue
  boolean stop(Duration waitMax) throws InterruptedException {
    terminate();
    if (awaitEnd(waitMax)) {
      return true;
    }
    kill();
    return false;
  }

  /** Sends SIGTERM; does not wait. */
  void terminate() {
    handle().ifPresent(ProcessHandle::destroy);
  }

  /** Sends SIGKILL and waits for the end. */
  void kill() throws InterruptedException {
    handle().ifPresent(ProcessHandle::destroyForcibly);
    awaitEnd(Duration.ofSeconds(10));
  }

  /** Waits for the end, however long that takes. */
  void awaitEnd() throws InterruptedException {
    while (isAlive()) {
      Thread.sleep(LONG_POLL_MS);
    }
  }

  @CanIgnoreReturnValue
  private boolean awaitEnd(Duration waitMax) throws InterruptedException {
    long deadline = System.nanoTime() + waitMax.toNanos();
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

  /** Whether it has ended, but its parent has not collected it; in a container perhaps never. */
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
