package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.loader.page.Chromium;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The query page in a browser, over points that the command line has loaded.
 *
 * <p>Leaves {@code target/query-page.png}, which {@code docs/images} holds a copy of.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class QueryPageIT {
  private static final long START = 1_717_286_400; // 2024-06-02T00:00Z
  private static final String DAY = "range=between&from=2024-06-02T00:00:00&to=2024-06-03T00:00:00";
  private static final String DRAWN =
      "document.getElementById('status').textContent.includes(' ms.')";

  private static URI page = URI.create("about:blank");
  private static Optional<Chromium> started = Optional.empty();

  @TempDir private static Path folder = Path.of("");

  @BeforeAll
  static void loadAndStart() throws Exception {
    Optional<Path> browser = Chromium.find();
    String reason =
        "query page not tested, no Chromium: apt-get install chromium, or name one in "
            + Chromium.VARIABLE;
    if (browser.isEmpty()) {
      System.out.println(reason);
    }
    assumeTrue(browser.isPresent(), reason);
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    Path lines = folder.resolve("lines.txt");
    Files.writeString(lines, importLines());
    StringWriter said = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said, true))
            .setErr(new PrintWriter(said, true))
            .execute("load", lines.toString(), "--dir", server.store().root().toString());
    assertEquals(0, code, said.toString());
    page = server.tsdUrl().resolve("/");
    started = Optional.of(Chromium.start(browser.get(), 1180, 980));
  }

  @AfterAll
  static void stop() throws Exception {
    if (started.isPresent()) {
      started.get().close();
    }
  }

  /** A day of five hosts, busy by day, a point a minute. */
  private static String importLines() {
    StringBuilder text = new StringBuilder();
    Random random = new Random(7);
    String[] hosts = {"web01", "web02", "web03", "db01", "db02"};
    for (int host = 0; host < hosts.length; host++) {
      double value = 15 + 4 * host;
      for (int minute = 0; minute < 1440; minute++) {
        double busy = Math.sin((minute / 1440.0 - 0.3) * 2 * Math.PI);
        value +=
            (32 + 6 * host + (14 + 2 * host) * busy - value) * 0.04 + random.nextGaussian() * 0.8;
        text.append(
            String.format(
                Locale.ROOT,
                "sys.cpu.user %d %.1f host=%s dc=%s%n",
                START + minute * 60L,
                Math.max(0, value),
                hosts[host],
                host % 2 == 0 ? "lon" : "fra"));
      }
    }
    return text.toString();
  }

  @Test
  void drawsAMetricThatIsTypedAndChosenByKeyboard() throws Exception {
    Chromium browser = open("#" + DAY);
    browser.evaluate("document.getElementById('metric').focus()");
    browser.type("sys.c");
    browser.await("document.querySelectorAll('#metric-names li').length === 1");
    assertEquals("true", attribute(browser, "metric", "aria-expanded"));
    browser.press("ArrowDown");
    assertEquals(
        "sys.cpu.user",
        text(
            browser,
            "document.getElementById(document.getElementById('metric')"
                + ".getAttribute('aria-activedescendant')).textContent"));
    browser.press("Enter");
    browser.await(DRAWN);
    assertEquals("sys.cpu.user", text(browser, "document.getElementById('metric').value"));
    assertEquals("false", attribute(browser, "metric", "aria-expanded"));
    assertEquals(1, colouredLines(browser), "one aggregated line");
    assertTrue(text(browser, "location.hash").contains("metric=sys.cpu.user"));
  }

  @Test
  void drawsALineForEachValueOfATagChosenByCompletion() throws Exception {
    Chromium browser = open("#metric=sys.cpu.user&interval=5m&" + DAY);
    browser.await(DRAWN);
    browser.evaluate("document.getElementById('add').click()");
    browser.type("ho");
    browser.await("document.querySelectorAll('.tagk + ul li').length === 1");
    browser.press("ArrowDown");
    browser.press("Enter");
    assertEquals("host", text(browser, "document.querySelector('.tagk').value"));
    browser.evaluate("document.getElementById('run').click()");
    browser.await(DRAWN + " && document.querySelectorAll('#series tbody tr').length === 5");
    browser.evaluate("document.activeElement.blur()");
    browser.resize(1180, 1080);
    assertEquals(5, colouredLines(browser));
    Files.write(Path.of("target/query-page.png"), browser.screenshot());
    browser.resize(1180, 980);

    browser.evaluate("document.querySelector('#series tbody input').click()");
    assertEquals(4, colouredLines(browser), "one line switched off");
    browser.prefer("dark");
    assertEquals(4, colouredLines(browser), "dark");
    browser.prefer("light");
  }

  @Test
  void tablesHaveTheFiguresOfTheChart() throws Exception {
    Chromium browser = open("#metric=sys.cpu.user&aggregator=max&interval=1h&reducer=count&" + DAY);
    browser.await(DRAWN);
    browser.evaluate("document.querySelector('#points summary').click()");
    browser.await("document.querySelectorAll('#points tbody tr').length === 24");
    assertEquals(
        "2024-06-02 23:00:00 60",
        text(browser, "document.querySelector('#points tbody tr').innerText.replace('\\t', ' ')"));
    assertEquals(
        "24 60 60 60 60",
        text(
            browser,
            "[...document.querySelectorAll('#series tbody td')].slice(1, 6)"
                + ".map((cell) => cell.textContent).join(' ')"));
  }

  @Test
  void saysWhatWentWrongAndWhatIsNotThere() throws Exception {
    Chromium browser = open("#metric=no.such.metric&" + DAY);
    browser.await("!document.getElementById('error').hidden");
    assertTrue(text(browser, "document.getElementById('error').textContent").contains("no.such"));
    browser = open("#metric=sys.cpu.user&range=1h-ago");
    browser.await("document.getElementById('hint').textContent.includes('No points between')");
  }

  @Test
  void runsNothingThatAnAddressBringsAlong() throws Exception {
    Chromium browser =
        open(
            "#metric=%3Cimg%20src=x%20onerror=document.title=1%3E&aggregator=%3Cb%3E&tag=%5B%22&"
                + DAY);
    browser.await("!document.getElementById('error').hidden");
    assertEquals("0", text(browser, "String(document.querySelectorAll('main img').length)"));
    assertTrue(text(browser, "document.title").startsWith("Packhorse"));
  }

  @Test
  void everyControlHasANameAndTheTabKeyReachesThem() throws Exception {
    Chromium browser =
        open("#metric=sys.cpu.user&tag=%5B%22host%22,%22wildcard%22,%22*%22,true%5D&" + DAY);
    browser.await(DRAWN);
    List<String> nodes = browser.accessibleNodes();
    for (String node : nodes) {
      boolean control =
          node.matches(
              "(button|checkbox|combobox|textbox|link|Date|DateTime|image|region|form):.*");
      assertFalse(control && node.endsWith(":"), "without a name: " + node + " in " + nodes);
    }
    assertTrue(
        nodes.stream().anyMatch(n -> n.startsWith("image:sys.cpu.user: 5 lines from 2024-06-02")),
        nodes.toString());
    for (String expected :
        List.of(
            "combobox:Metric",
            "combobox:Tag",
            "combobox:Value",
            "checkbox:Rate per second",
            "button:Show",
            "heading:Packhorse",
            "heading:sys.cpu.user",
            "columnheader:Average")) {
      assertTrue(nodes.contains(expected), expected + " in " + nodes);
    }
    browser.evaluate("document.activeElement.blur(); window.getSelection().removeAllRanges()");
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      browser.press("Tab");
      order
          .append(text(browser, "document.activeElement.id || document.activeElement.className"))
          .append(' ');
    }
    assertTrue(
        order
            .toString()
            .matches(
                ".*metric range from .*to .*aggregator interval reducer rate tagk0 .*run add .*"),
        order.toString());
    assertEquals("0", text(browser, "String(" + UNREADABLE + ")"), "text with too little contrast");
    browser.prefer("dark");
    assertEquals("0", text(browser, "String(" + UNREADABLE + ")"), "dark, likewise");
    browser.prefer("light");
  }

  @Test
  void fitsANarrowWindow() throws Exception {
    Chromium browser = open("#metric=sys.cpu.user&" + DAY);
    browser.await(DRAWN);
    browser.resize(360, 800);
    browser.await("document.querySelector('#chart canvas').clientWidth < 340");
    assertEquals(
        "true", text(browser, "String(document.documentElement.scrollWidth <= innerWidth)"));
    browser.resize(1180, 980);
  }

  @Test
  void asksItsOwnServerOnlyAndBreaksNoPolicy() throws Exception {
    Chromium browser = open("#metric=sys.cpu.user&" + DAY);
    browser.await(DRAWN);
    for (String address : browser.requests()) {
      assertTrue(
          address.startsWith(page.toString()) || address.matches("(about|data):.*"), address);
    }
    assertEquals(
        List.of(),
        browser.complaints().stream().filter(c -> !c.contains("status of 400")).toList());
  }

  /** Leaf texts whose colour differs from their ground by less than 4.5 to 1. */
  private static final String UNREADABLE =
      """
      (() => {
        const parse = (c) => c.match(/[0-9.]+/g).map(Number);
        const light = (c) => c.slice(0, 3).map((v) => v / 255)
          .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (e) => {
          for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.length === 3 || c[3] > 0) return c;
          }
          return [255, 255, 255];
        };
        return [...document.querySelectorAll('body *')].filter((e) => {
          if (!e.offsetParent || e.children.length || !e.textContent.trim()) return false;
          const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
        }).length;
      })()\
      """;

  /** How many of the lines' colours the canvas really shows, in more than a few pixels. */
  private static int colouredLines(Chromium browser) throws Exception {
    JsonNode count =
        browser.evaluate(
            """
            new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
              const canvas = document.querySelector('#chart canvas');
              const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              const marks = [...document.querySelectorAll('#series .swatch')]
                .map((mark) => getComputedStyle(mark).backgroundColor.match(/[0-9]+/g).map(Number));
              const seen = marks.map(() => 0);
              for (let i = 0; i < data.length; i += 4) {
                marks.forEach((c, k) => {
                  const off = Math.abs(data[i] - c[0]) + Math.abs(data[i + 1] - c[1]) + Math.abs(data[i + 2] - c[2]);
                  if (data[i + 3] > 200 && off < 12) seen[k]++;
                });
              }
              done(seen.filter((pixels) => pixels > 100).length);
            })))\
            """);
    return count.asInt();
  }

  private static Chromium open(String hash) throws Exception {
    Chromium browser = started.orElseThrow();
    browser.open(URI.create(page + hash));
    return browser;
  }

  private static String text(Chromium browser, String expression) throws Exception {
    return browser.evaluate(expression).asText();
  }

  private static String attribute(Chromium browser, String id, String name) throws Exception {
    return text(browser, "document.getElementById('" + id + "').getAttribute('" + name + "')");
  }
}
