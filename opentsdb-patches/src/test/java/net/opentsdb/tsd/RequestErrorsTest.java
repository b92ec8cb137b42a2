package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.QueryException;
import net.opentsdb.core.TSQuery;
import net.opentsdb.query.expression.ExpressionFactory;
import net.opentsdb.utils.JSON;
import org.hbase.async.StoreFailures;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose fault an exception is. */
final class RequestErrorsTest {
  @Test
  void whatCannotBeReadIsTheClientsWhateverWrapsIt() {
    RuntimeException json =
        assertThrows(
            RuntimeException.class, () -> JSON.parseToObject("{\"start\":", TSQuery.class));
    RuntimeException function =
        assertThrows(RuntimeException.class, () -> ExpressionFactory.getByName("nosuch"));
    RuntimeException cut =
        assertThrows(StringIndexOutOfBoundsException.class, () -> "abc".substring(4));
    for (RuntimeException e :
        List.of(json, function, cut, new NumberFormatException("For input string: x"))) {
      BadRequestException refusal = refusal(new RuntimeException(new RuntimeException(e)));
      assertEquals(HttpResponseStatus.BAD_REQUEST, refusal.getStatus());
      assertTrue(!refusal.getMessage().contains("Exception"), refusal.getMessage());
    }
  }

  @Test
  void sumsThatExceedAllNumbersAreSaidWithoutNamesOfClasses() {
    BadRequestException refusal =
        refusal(
            new RuntimeException(
                new IllegalStateException(
                    "Got Infinity: Infinity in this AggregationIterator(iterators=[])")));
    assertEquals(HttpResponseStatus.BAD_REQUEST, refusal.getStatus());
    assertTrue(refusal.getMessage().contains("aggregator none"), refusal.getMessage());
    assertTrue(!refusal.getMessage().contains("Iterator"), refusal.getMessage());
  }

  @Test
  void aRefusalKeepsItsStatus() {
    QueryException timeout = new QueryException(HttpResponseStatus.REQUEST_TIMEOUT, "too long");
    BadRequestException refusal = refusal(new RuntimeException(timeout));
    assertEquals(HttpResponseStatus.REQUEST_TIMEOUT, refusal.getStatus());
    assertEquals("too long", refusal.getMessage());
  }

  @Test
  void whatTheStoreOrTheTsdDidIsNotTheClients() {
    for (RuntimeException e :
        List.of(
            new IllegalArgumentException(StoreFailures.timedOut()),
            new IllegalDataException("a damaged cell"),
            new IllegalStateException("no such state"),
            new UnsupportedOperationException("remove"),
            new NullPointerException())) {
      assertNull(RequestErrors.refusal(e), e.toString());
    }
  }

  @Test
  void aFaultOfTheTsdHasWordsOfItsOwn() {
    QueryException plain =
        assertInstanceOf(QueryException.class, RequestErrors.plain(new NullPointerException()));
    assertEquals(HttpResponseStatus.INTERNAL_SERVER_ERROR, plain.getStatus());
    assertTrue(plain.getMessage().contains("internal fault"), plain.getMessage());
    IllegalDataException damaged = new IllegalDataException("a damaged cell");
    assertSame(damaged, RequestErrors.plain(damaged));
  }

  @Test
  void anInvalidQueryIsToldWithoutNamesOfClasses() {
    BadRequestException invalid = RequestErrors.invalid(new NullPointerException());
    assertEquals(HttpResponseStatus.BAD_REQUEST, invalid.getStatus());
    assertEquals("A part of the query is missing or null", invalid.getMessage());
    BadRequestException unsuited =
        RequestErrors.invalid(
            new QueryException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "too much"));
    assertEquals(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, unsuited.getStatus());
    assertEquals("too much", unsuited.getMessage());
  }

  private static BadRequestException refusal(RuntimeException error) {
    @Nullable BadRequestException refusal = RequestErrors.refusal(error);
    return assertInstanceOf(BadRequestException.class, refusal, error.toString());
  }
}
