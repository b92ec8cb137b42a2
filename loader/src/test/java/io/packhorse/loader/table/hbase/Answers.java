package io.packhorse.loader.table.hbase;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** What HBase's client answers in a test, by the name of the method; closing does nothing. */
interface Answers {
  @Nullable Object get(String method) throws IOException;

  static <T> T of(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getName().equals("close") ? null : answers.get(method.getName())));
  }
}
