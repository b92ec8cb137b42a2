package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerStateTest {
  @Test
  void comesBackFromItsFile(@TempDir Path temp) throws Exception {
    Path file = temp.resolve("server.properties");
    ServerProcess process = new ServerProcess(123, 1_700_000_000_123L);
    ServerState.read(file)
        .with(ServerState.ZOOKEEPER, 2181)
        .with(ServerState.HBASE, process)
        .write(file);

    ServerState read = ServerState.read(file);
    assertEquals(OptionalInt.of(2181), read.port(ServerState.ZOOKEEPER));
    assertEquals(process, read.process(ServerState.HBASE));
    assertEquals(OptionalInt.empty(), read.port(ServerState.MASTER));
  }

  @Test
  void aProcessThatWasNeverStartedIsNotAlive(@TempDir Path temp) throws Exception {
    assertFalse(ServerState.read(temp.resolve("none")).process("tsd").isAlive());
  }

  @Test
  void knowsThisProcessAndNotItsNumberAlone() {
    ServerProcess self = ServerProcess.of(ProcessHandle.current());
    assertTrue(self.isAlive());
    assertFalse(new ServerProcess(self.pid(), self.startedMs() - 60_000).isAlive());
  }

  @Test
  void stopsAProcessAndSeesItGone() throws Exception {
    Process sleeper = new ProcessBuilder("sleep", "100").start();
    ServerProcess process = ServerProcess.of(sleeper.toHandle());
    assertTrue(process.isAlive());
    assertTrue(process.stop(java.time.Duration.ofSeconds(10)));
    assertFalse(process.isAlive());
  }

  @Test
  void killsAProcessThatDoesNotListen() throws Exception {
    Process deaf =
        new ProcessBuilder("sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.1; done")
            .start();
    assertEquals('u', deaf.getInputStream().read());
    ServerProcess process = ServerProcess.of(deaf.toHandle());
    assertFalse(process.stop(java.time.Duration.ofMillis(200)));
    assertFalse(process.isAlive());
  }
}
