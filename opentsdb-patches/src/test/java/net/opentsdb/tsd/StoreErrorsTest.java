package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.stumbleupon.async.Deferred;
import com.stumbleupon.async.DeferredGroupException;
import java.util.List;
import net.opentsdb.core.QueryException;
import org.hbase.async.HBaseException;
import org.hbase.async.StoreFailures;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client reads when HBase fails. */
final class StoreErrorsTest {
  static List<HBaseException> passing() {
    return StoreFailures.passing();
  }

  @ParameterizedTest
  @MethodSource("passing")
  void aFailureThatPassesIsSaidPlainlyAndCanBeRepeated(HBaseException error) {
    QueryException plain = assertInstanceOf(QueryException.class, StoreErrors.plain(error));
    int status = plain.getStatus().getCode();
    assertTrue(status == 503 || status == 504, plain.getMessage());
    assertPlain(plain.getMessage());
    assertPlain(StoreErrors.message(error));
    assertPlain(PutErrors.message(error));
  }

  @Test
  void aCallWithoutAnswerIsAGatewayTimeout() {
    QueryException plain = (QueryException) StoreErrors.plain(StoreFailures.timedOut());
    assertEquals(HttpResponseStatus.GATEWAY_TIMEOUT, plain.getStatus());
  }

  @Test
  void aRefusalNamesItsKind() {
    QueryException plain = (QueryException) StoreErrors.plain(StoreFailures.refused());
    assertEquals(HttpResponseStatus.INTERNAL_SERVER_ERROR, plain.getStatus());
    assertTrue(plain.getMessage().contains("(AccessDeniedException)"), plain.getMessage());
    assertPlain(plain.getMessage());
  }

  @Test
  void isFoundAmongTheCauses() throws Exception {
    HBaseException error = StoreFailures.timedOut();
    DeferredGroupException group = null;
    try {
      Deferred.group(List.of(Deferred.fromError(error))).join();
    } catch (DeferredGroupException e) {
      group = e;
    }
    BadRequestException wrapped =
        StoreErrors.plain(new BadRequestException(new IllegalStateException("never here", group)));
    assertEquals(HttpResponseStatus.GATEWAY_TIMEOUT, wrapped.getStatus());
    assertPlain(wrapped.getMessage());
    assertEquals("", wrapped.getDetails());
  }

  @Test
  void leavesOtherErrorsAlone() {
    IllegalStateException other = new IllegalStateException("something else");
    assertSame(other, StoreErrors.plain((Throwable) other));
    assertNull(StoreErrors.plain((Throwable) null));
    BadRequestException refused = new BadRequestException(other);
    assertSame(refused, StoreErrors.plain(refused));
    assertEquals("something else", StoreErrors.message(other));
    assertEquals("Unexpected exception", PutErrors.message(other));
  }

  private static void assertPlain(String message) {
    assertTrue(message.contains("HBase"), message);
    assertFalse(message.contains("RegionClient"), message);
    assertFalse(message.contains("RPC"), message);
  }
}
