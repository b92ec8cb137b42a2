package io.packhorse.loader.cli;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** A connection that stops writing after some calls, as if its process had died; it still reads. */
final class DyingConnection {
  /** What its exceptions say. */
  static final String DEAD = "this process is dead";

  private static final Set<String> WRITES = Set.of("put", "delete", "batch", "mutateRow");

  private DyingConnection() {}

  /**
   * @param writes calls that still succeed
   */
  static Connection after(int writes, Connection connection) {
    AtomicInteger left = new AtomicInteger(writes);
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          Object made = method.invoke(connection, arguments);
          return made instanceof Table table ? dying(table, left) : made;
        });
  }

  private static Table dying(Table table, AtomicInteger left) {
    return proxy(
        Table.class,
        (self, method, arguments) -> {
          if (WRITES.contains(method.getName()) && left.getAndDecrement() <= 0) {
            throw new IOException(DEAD);
          }
          return method.invoke(table, arguments);
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return handler.invoke(self, method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
