package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServerStatusPrinterTest {
  @Test
  void saysThatNoTsdRuns() {
    ServerStatus.Tsd tsd = new ServerStatus.Tsd("patched", "http://127.0.0.1:4242", 7);
    String gone = "OpenTSDB   does not run: server start brings it back";
    assertEquals(1, printed(List.of()).lines().filter(gone::equals).count());
    assertEquals(0, printed(List.of(tsd)).lines().filter(gone::equals).count());
  }

  private static String printed(List<ServerStatus.Tsd> tsds) {
    StringWriter text = new StringWriter();
    ServerStatusPrinter.print(
        new ServerStatus(
            "/store", true, true, Map.of(), "127.0.0.1:2181", 6, tsds, 0, 0, Map.of(), "/log"),
        new PrintWriter(text, true));
    return text.toString();
  }
}
