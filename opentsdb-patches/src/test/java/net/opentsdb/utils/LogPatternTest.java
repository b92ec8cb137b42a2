package net.opentsdb.utils;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a client sends cannot pass for a line of the log. */
final class LogPatternTest {
  private static String logged(String message, @Nullable Throwable error) throws Exception {
    String xml;
    try (InputStream in = LogPatternTest.class.getResourceAsStream("/logback.xml")) {
      xml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    LoggerContext context = new LoggerContext();
    PatternLayout layout = new PatternLayout();
    layout.setContext(context);
    layout.setPattern(xml.substring(xml.indexOf("<pattern>") + 9, xml.indexOf("</pattern>")));
    layout.start();
    return layout.doLayout(
        new LoggingEvent("x", context.getLogger("TSDMain"), Level.WARN, message, error, null));
  }

  @Test
  void aLineOfAClientIsIndented() throws Exception {
    List<String> lines =
        logged("bad\n2026 ERROR \u001b[31mforged\r!", new IllegalStateException("worse\nforged"))
            .lines()
            .toList();
    assertTrue(lines.get(0).endsWith("TSDMain: bad"), lines.toString());
    assertEquals("  2026 ERROR ?[31mforged?!", lines.get(1));
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.startsWith("  "), line);
    }
    assertEquals(1, lines.stream().filter(line -> line.equals("  forged")).count());
  }

  @Test
  void otherLinesAreAsEver() throws Exception {
    String line = logged("a\tb", null);
    assertTrue(line.endsWith(" WARN  [" + Thread.currentThread().getName() + "] TSDMain: a\tb\n"));
    assertFalse(line.startsWith(" "));
  }
}
