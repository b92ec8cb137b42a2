package io.packhorse.loader.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

class ClusterCloseTest {
  private final AtomicInteger closed = new AtomicInteger();

  private Connection failing(Exception failure) {
    return (Connection)
        Proxy.newProxyInstance(
            ClusterCloseTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              assertEquals("close", method.getName());
              closed.incrementAndGet();
              throw failure;
            });
  }

  @Test
  void networkThreadsThatHaveEndedAlreadyAreNoFailure() throws Exception {
    Cluster.close(failing(new RejectedExecutionException("event executor terminated")));
    assertEquals(1, closed.get());
  }

  @Test
  void otherFailuresAreReported() {
    IOException failure = new IOException("the cluster is gone");
    assertSame(failure, assertThrows(IOException.class, () -> Cluster.close(failing(failure))));
  }
}
