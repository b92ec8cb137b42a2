package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import net.opentsdb.auth.AuthState;
import net.opentsdb.auth.Authentication;
import net.opentsdb.auth.Authorization;
import net.opentsdb.core.TSDB;
import net.opentsdb.tsd.RunningTsd.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A TSD with an authentication plugin that lets clients in, and refuses their queries. */
@Timeout(60)
final class AuthorizedTsdTest {
  @TempDir private static Path home = Path.of("");

  /** Upstream asks the plugin at {@code /api/query} only, and answers {@code /q} to anyone. */
  @ParameterizedTest
  @ValueSource(strings = {"/api/query?", "/q?ascii&", "/q?json&"})
  void aQueryIsRefusedWhereverItIsAsked(String path) throws Exception {
    try (RunningTsd tsd = RunningTsd.start(home, Map.of())) {
      refuseQueries(tsd.tsdb());
      Answer answer = tsd.send("GET", path + "start=1h-ago&m=sum:walk");
      assertEquals(403, answer.status(), answer.body());
      assertTrue(answer.body().contains("not for you"), answer.body());
    }
  }

  @Test
  void othersAreAnswered() throws Exception {
    try (RunningTsd tsd = RunningTsd.start(home, Map.of())) {
      refuseQueries(tsd.tsdb());
      assertEquals(200, tsd.send("GET", "/api/version").status());
    }
  }

  private static void refuseQueries(TSDB tsdb) throws ReflectiveOperationException {
    AuthState known = state(AuthState.AuthStatus.SUCCESS);
    AuthState refused = state(AuthState.AuthStatus.FORBIDDEN);
    Authorization rights = proxy(Authorization.class, (self, method, arguments) -> refused);
    Authentication plugin =
        proxy(
            Authentication.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "authorization" -> rights;
                  case "isReady" -> true;
                  default -> known;
                });
    tsdb.getConfig().overrideConfig("tsd.core.authentication.enable", "true");
    Field field = TSDB.class.getDeclaredField("authentication");
    field.setAccessible(true);
    field.set(tsdb, plugin);
  }

  private static AuthState state(AuthState.AuthStatus status) {
    return proxy(
        AuthState.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getStatus" -> status;
              case "getMessage" -> "not for you";
              default -> null;
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
