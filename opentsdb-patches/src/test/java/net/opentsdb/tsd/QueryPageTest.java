package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.opentsdb.tsd.RunningTsd.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page as it comes over the wire; loader's QueryPageIT uses it in a browser. */
@Timeout(60)
final class QueryPageTest {
  private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"([^\"#]+)\"");
  private static final Pattern IMPORT = Pattern.compile("from \"\\./([^\"]+)\"");

  @Test
  void isServedWithItsPolicyAndEverythingItRefersTo(@TempDir Path home) throws IOException {
    try (RunningTsd tsd = RunningTsd.start(home, Map.of())) {
      Answer page = tsd.send("GET", "/");
      assertEquals(200, page.status());
      assertEquals("text/html; charset=UTF-8", page.type());
      String policy = page.headers().get("content-security-policy");
      assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
      assertFalse(policy.contains("unsafe"), policy);
      assertFalse(page.body().matches("(?s).*(<style|<script>| style=| on[a-z]+=).*"), "inline");

      Set<String> modules = new TreeSet<>();
      Matcher references = REFERENCE.matcher(page.body());
      int found = 0;
      while (references.find()) {
        String target = references.group(1);
        assertFalse(target.contains("//"), "another server: " + target);
        Answer answer = tsd.send("GET", "/" + target);
        assertEquals(200, answer.status(), target);
        if (target.endsWith(".mjs")) {
          addModules(tsd, target, modules);
        }
        found++;
      }
      assertEquals(6, found);
      assertEquals(7, modules.size(), modules.toString());
      for (String target : List.of("/page", "/page/", "/page/index.html", "/page/../secret")) {
        assertEquals(404, tsd.send("GET", target).status(), target);
      }
      assertEquals(405, tsd.send("POST", "/").status());

      Answer again = tsd.send("GET", "/", "If-None-Match: " + page.headers().get("etag"));
      assertEquals(304, again.status());
      assertEquals("", again.body());
    }
  }

  private static void addModules(RunningTsd tsd, String target, Set<String> modules)
      throws IOException {
    if (modules.add(target)) {
      Answer module = tsd.send("GET", "/" + target);
      assertEquals(200, module.status(), target);
      assertEquals("text/javascript; charset=UTF-8", module.type(), target);
      Matcher imports = IMPORT.matcher(module.body());
      while (imports.find()) {
        addModules(tsd, "page/" + imports.group(1), modules);
      }
    }
  }
}
