package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the page computes without a browser, in Node where there is one: src/test/js. */
@Timeout(60)
final class PageScriptsTest {
  @Test
  void pageTestsPass() throws IOException, InterruptedException {
    boolean found =
        Pattern.compile(File.pathSeparator)
            .splitAsStream(System.getenv().getOrDefault("PATH", ""))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node")));
    String reason =
        "page scripts not tested, no Node: install nodejs 18 or newer (loader's QueryPageIT uses"
            + " them in a browser)";
    if (!found) {
      System.out.println(reason);
    }
    assumeTrue(found, reason);
    Process node =
        new ProcessBuilder("node", "--test", "src/test/js/page.test.mjs")
            .redirectErrorStream(true)
            .start();
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, node.waitFor(), said);
  }
}
