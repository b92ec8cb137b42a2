package net.opentsdb.utils;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class LimitedLoggerTest {
  @Test
  void passesAFewWarningsASecondAndEverythingElse() {
    Logger target = (Logger) LoggerFactory.getLogger("limited");
    target.setLevel(Level.INFO);
    target.setAdditive(false);
    ListAppender<ILoggingEvent> written = new ListAppender<>();
    written.start();
    target.addAppender(written);
    org.slf4j.Logger logger = LimitedLogger.of(target);
    long before = System.nanoTime();
    for (int i = 0; i < 10_000; i++) {
      logger.warn("bad point {}", i);
    }
    long seconds = (System.nanoTime() - before) / 1_000_000_000 + 2;
    assertTrue(written.list.size() >= LimitedLogger.PER_SECOND);
    assertTrue(written.list.size() <= seconds * (LimitedLogger.PER_SECOND + 1));
    assertEquals("bad point 0", written.list.get(0).getFormattedMessage());
    written.list.clear();
    for (int i = 0; i < 100; i++) {
      logger.info("started");
    }
    assertEquals(100, written.list.size());
  }
}
