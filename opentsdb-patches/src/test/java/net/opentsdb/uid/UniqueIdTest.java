package net.opentsdb.uid;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hbase.async.Config;
import org.hbase.async.HBaseClient;
import org.hbase.async.HBaseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** UIDs that cannot be assigned. */
final class UniqueIdTest {
  private final HBaseClient failing = new HBaseClient(config());

  /** Each call of this client fails before it is sent. */
  private static Config config() {
    Config config = new Config();
    config.overrideConfig("hbase.zookeeper.quorum", "127.0.0.1:1");
    config.overrideConfig("hbase.client.retries.number", "-1");
    return config;
  }

  @AfterEach
  void close() throws Exception {
    failing.shutdown().join();
  }

  @Test
  void anAssignmentThatLostARaceEndsWhenHBaseFails() throws Exception {
    UniqueId metrics =
        new UniqueId(failing, "tsdb-uid".getBytes(StandardCharsets.US_ASCII), "metrics", 3);
    Deferred<byte[]> assignment = new Deferred<>();
    Callback<Object, Object> allocator = lastStep(metrics, "walk", assignment);
    // Another TSD has written its UID first.
    allocator.call(false);
    Exception failure = assertThrows(Exception.class, () -> assignment.join(10_000));
    assertInstanceOf(HBaseException.class, failure);
  }

  /** The allocator of a name whose UID has only to be written under the name. */
  @SuppressWarnings("unchecked")
  private static Callback<Object, Object> lastStep(
      UniqueId table, String name, Deferred<byte[]> assignment)
      throws ReflectiveOperationException {
    Class<?> type =
        Arrays.stream(UniqueId.class.getDeclaredClasses())
            .filter(c -> c.getSimpleName().equals("UniqueIdAllocator"))
            .findFirst()
            .orElseThrow();
    Constructor<?> constructor =
        type.getDeclaredConstructor(UniqueId.class, String.class, Deferred.class);
    constructor.setAccessible(true);
    Object allocator = constructor.newInstance(table, name, assignment);
    set(allocator, "state", (byte) 3);
    set(allocator, "row", new byte[] {0, 0, 1});
    return (Callback<Object, Object>) allocator;
  }

  private static void set(Object object, String field, Object value)
      throws ReflectiveOperationException {
    Field found = object.getClass().getDeclaredField(field);
    found.setAccessible(true);
    found.set(object, value);
  }
}
