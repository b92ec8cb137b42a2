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
 * <p>Leaves {@code target/query-page*.png}, of which {@code docs/images} holds copies.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class QueryPageIT {
  private static final long START = 1_717_286_400; // 2024-06-02T00:00Z
  private static final String DAY = "range=between&from=2024-06-02T00:00:00&to=2024-06-03T00:00:00";
  private static final String HOUR =
      "range=between&from=2024-06-02T00:00:00&to=2024-06-02T01:00:00";
  private static final int MANY = 20_000;
  private static final String EACH_HOST = "&tag=%5B%22host%22,%22wildcard%22,%22*%22,true%5D&";
  private static final String EACH_ID = "&tag=%5B%22id%22,%22wildcard%22,%22*%22,true%5D&";
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

  /** A day of five hosts, busy by day, a point a minute, and other metrics for other tests. */
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
        if (host == 3 && minute > 850 && minute < 930) {
          continue; // Something for the picture of a hole.
        }
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
    // Six hours, a hole of six, two hours; other sizes; and more series than any screen has lines.
    for (int minute = 360; minute < 1200; minute++) {
      if (minute < 720 || minute >= 1080) {
        text.append(String.format(Locale.ROOT, "gap.metric %d 5 host=a%n", START + minute * 60L));
      }
      text.append(
          String.format(
              Locale.ROOT, "net.bytes %d %d host=a%n", START + minute * 60L, minute * 1_000_000L));
      text.append(
          String.format(Locale.ROOT, "disk.free %d 0.%04d host=a%n", START + minute * 60L, minute));
    }
    for (int id = 0; id < MANY; id++) {
      // The higher its id, the higher a series ends, wherever it begins.
      int first = id * (30 + id * 7_919 % 97) / 150;
      text.append(String.format(Locale.ROOT, "many.series %d %d id=w%d%n", START, first, id));
      text.append(
          String.format(Locale.ROOT, "many.series %d %d id=w%d%n", START + 3600, id + 1, id));
    }
    return text.toString();
  }

  @Test
  void drawsAMetricThatIsTypedAndChosenByKeyboard() throws Exception {
    Chromium browser = open("#" + DAY);
    browser.evaluate("document.getElementById('metric').focus()");
    browser.type("sys.c");
    browser.await("document.querySelectorAll('.metric li').length === 1");
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
    browser.evaluate("document.querySelector('.add').click()");
    browser.type("ho");
    browser.await("document.querySelectorAll('.tagk + ul li').length === 1");
    browser.press("ArrowDown");
    browser.press("Enter");
    assertEquals("host", text(browser, "document.querySelector('.tagk').value"));
    browser.evaluate("document.getElementById('run').click()");
    browser.await(DRAWN + " && document.querySelectorAll('#series tbody tr').length === 5");
    assertEquals(5, colouredLines(browser));
    picture(browser, "query-page", 1170);

    browser.evaluate("document.querySelector('#series tbody input').click()");
    assertEquals(4, colouredLines(browser), "one line switched off");
    browser.prefer("dark");
    assertEquals(4, colouredLines(browser), "dark");
    browser.prefer("light");
  }

  @Test
  void asksForSomeValuesAlone() throws Exception {
    String all = "#metric=sys.cpu.user&aggregator=none&interval=&" + DAY;
    Chromium browser = open(all);
    browser.await(DRAWN);
    String points =
        "Number(document.querySelector('#series tbody tr').children[2].textContent.replace(/\\D/g, ''))";
    String least = "Number(document.querySelector('#series tbody tr').children[3].textContent)";
    assertEquals("true", text(browser, "String(" + least + " < 30)"));
    browser.evaluate("document.getElementById('values').value = '>=30,<50'");
    browser.evaluate("document.getElementById('run').click()");
    browser.await(DRAWN + " && " + least + " >= 30");
    assertEquals("true", text(browser, "String(" + points + " > 0 && " + points + " < 1440)"));
    assertTrue(text(browser, "location.hash").contains("values=%3E%3D30%2C%3C50"));
    browser.evaluate("document.getElementById('values').value = '30'");
    browser.evaluate("document.getElementById('run').click()");
    browser.await("!document.getElementById('error').hidden");
    assertTrue(text(browser, "document.getElementById('error').textContent").contains("30"));
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
    browser = open("#metric=sys.cpu.user&tag=%5B%22host%22,%22regexp%22,%22web(%22,true%5D&" + DAY);
    browser.await("!document.getElementById('error').hidden");
    String refused = text(browser, "document.getElementById('error').textContent");
    assertTrue(refused.startsWith("Regular expression \"web(\" refused"), refused);
    picture(browser, "query-page-error", 500);

    // What a TSD says to a question that is too large, and none that says anything.
    browser = open("#metric=sys.cpu.user&" + DAY);
    browser.await(DRAWN);
    browser.evaluate(
        """
        window.kept = window.fetch;
        window.fetch = async () => new Response('{"error":{"code":413,"message":"too much"}}', {status: 413});
        document.getElementById('run').click();\
        """);
    browser.await("document.querySelector('#error button')");
    assertEquals(
        "too muchAsk with a step of 1800s",
        text(browser, "document.getElementById('error').textContent"));
    browser.evaluate(
        "window.fetch = async () => { throw new TypeError('network'); };"
            + "document.getElementById('run').click()");
    browser.await("document.getElementById('error').textContent.startsWith('No answer from 127.')");
    browser.evaluate(
        """
        window.fetch = async () => new Response('{}', {status: 413});
        document.getElementById('run').click();\
        """);
    browser.await("document.querySelector('#error button')");
    browser.evaluate("window.fetch = window.kept; document.querySelector('#error button').click()");
    browser.await(DRAWN);
    assertEquals("1800s", text(browser, "document.getElementById('interval').value"));
    assertEquals("true", text(browser, "String(document.getElementById('error').hidden)"));

    browser = open("#metric=sys.cpu.user&range=1h-ago");
    browser.await("document.getElementById('hint').textContent.includes('No points between')");
    browser.evaluate("document.querySelector('#hint button').click()");
    browser.await(DRAWN + " && !document.getElementById('chart').hidden");
    assertTrue(
        text(browser, "document.querySelector('.plot').getAttribute('aria-label')")
            .contains("from 2024-06-02 00:00:00 to 2024-06-03 00:00:00"),
        "the whole history is the day that was loaded");
  }

  @Test
  void drawsHolesAsHolesOnAnAxisFromStartToEnd() throws Exception {
    for (String interval : List.of("", "5m")) {
      Chromium browser = open("#metric=gap.metric&interval=" + interval + "&" + DAY);
      browser.await(DRAWN);
      // Which of 24 hours have the line in the middle of them.
      String hours =
          text(
              browser,
              """
              new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
                const canvas = document.querySelector('#chart canvas');
                const over = document.querySelector('#chart .u-over');
                const left = over.offsetLeft;
                const colour = document.querySelector('#series .swatch line').getAttribute('stroke')
                  .match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16));
                const hours = [];
                for (let hour = 0; hour < 24; hour++) {
                  const x = Math.round(left + over.offsetWidth * (hour + 0.5) / 24);
                  const data = canvas.getContext('2d').getImageData(x, 0, 1, canvas.height).data;
                  for (let i = 0; i < data.length; i += 4) {
                    const off = colour.reduce((sum, c, k) => sum + Math.abs(c - data[i + k]), 0);
                    if (data[i + 3] > 120 && off < 60) { hours.push(hour); break; }
                  }
                }
                done(hours.join(' '));
              })))\
              """);
      assertEquals("6 7 8 9 10 11 18 19", hours, "interval=" + interval);
    }
  }

  @Test
  void holdsTwentyThousandSeries() throws Exception {
    Chromium browser = open("#metric=many.series&interval=1h" + EACH_ID + HOUR);
    browser.await(DRAWN);
    // The picture shows how long it takes a TSD that has been asked before.
    browser.evaluate("document.getElementById('run').click()");
    browser.await(DRAWN);
    assertTrue(
        text(browser, "document.getElementById('status').textContent")
            .startsWith("40,000 points in 20,000 series."));
    assertEquals(
        "20001", text(browser, "document.getElementById('series').getAttribute('aria-rowcount')"));
    int rows = browser.evaluate("document.querySelectorAll('#series tbody tr').length").asInt();
    assertTrue(rows < 60, "rows that exist: " + rows);
    assertEquals(
        "id=w19999",
        text(browser, "document.querySelector('#series tbody th').textContent"),
        "the highest first");
    browser.evaluate(
        "document.querySelector('#tables .scroll').scrollTop = 33 * 10000;"
            + "new Promise((done) => setTimeout(done, 200))");
    assertTrue(
        text(
                browser,
                "[...document.querySelectorAll('#series th')].map((t) => t.textContent).join()")
            .contains("id=w9990"),
        "rows in the middle");
    browser.evaluate(
        "document.getElementById('search').value = 'w1234';"
            + "document.getElementById('search').dispatchEvent(new Event('input'))");
    assertEquals(
        "11 of 20,000 series match, 20 drawn",
        text(browser, "document.getElementById('found').textContent"));
    browser.evaluate("document.querySelector('#series tbody input').click()");
    assertEquals(
        "11 of 20,000 series match, 21 drawn",
        text(browser, "document.getElementById('found').textContent"));
    picture(browser, "query-page-many", 1170);

    browser.evaluate("document.querySelector('.tagv').value = ''");
    browser.evaluate("document.querySelector('.tagv').focus()");
    browser.type("w1999");
    browser.await("document.querySelectorAll('.tagv + ul [role=option]').length === 11");
    assertEquals(
        "w1999 w19990",
        text(
            browser,
            "[...document.querySelectorAll('.tagv + ul [role=option]')].slice(0, 2)"
                + ".map((item) => item.textContent).join(' ')"));
  }

  @Test
  void drawsSeveralQueriesAndGoesBackToTheOneBefore() throws Exception {
    Chromium browser = open("#metric=sys.cpu.user" + EACH_HOST + "metric=net.bytes&" + DAY);
    browser.await(DRAWN);
    assertEquals(
        "1 3",
        text(
            browser,
            "document.querySelectorAll('.plot').length + ' '"
                + " + document.querySelectorAll('.u-axis').length"),
        "one chart, with an axis of its own for the bytes");
    assertEquals(6, colouredLines(browser));
    browser.evaluate("document.getElementById('add-query').click()");
    browser.type("disk.f");
    browser.await("document.querySelectorAll('.query:nth-child(3) .metric li').length === 1");
    browser.press("ArrowDown");
    browser.press("Enter");
    browser.await(DRAWN + " && document.querySelectorAll('.plot').length === 3");
    assertTrue(text(browser, "location.hash").contains("metric=disk.free"));
    browser.evaluate("history.back()");
    browser.await(DRAWN + " && document.querySelectorAll('.plot').length === 1");
    assertEquals("2", text(browser, "String(document.querySelectorAll('.query').length)"));
  }

  @Test
  void zoomAsksAgainForFinerStepsAndIsInTheAddress() throws Exception {
    Chromium browser =
        open("#metric=sys.cpu.user&range=between&from=2024-06-01T00:00:00&to=2024-06-05T00:00:00");
    browser.await(DRAWN);
    String before = text(browser, "document.getElementById('requests').textContent");
    assertTrue(before.contains("600s-avg"), before);
    browser.evaluate("document.getElementById('in').click()");
    browser.await("location.hash.includes('from=2024-06-02T00%3A00%3A00') && " + DRAWN);
    String after = text(browser, "document.getElementById('requests').textContent");
    assertTrue(after.contains("300s-avg"), after);
    browser.evaluate("history.back()");
    browser.await("location.hash.includes('from=2024-06-01T00') && " + DRAWN);
  }

  @Test
  void showsTimesOfAZoneAndGivesAllPointsAsCsv() throws Exception {
    Chromium browser =
        open("#metric=sys.cpu.user&interval=1h&zone=Europe/Berlin&" + EACH_HOST + DAY);
    browser.await(DRAWN);
    browser.evaluate("document.querySelector('#points summary').click()");
    browser.await("document.querySelectorAll('#points tbody tr').length === 24");
    assertEquals(
        "2024-06-03 01:00:00",
        text(browser, "document.querySelector('#points tbody th').textContent"));
    String csv =
        text(
            browser,
            """
            new Promise((done) => {
              const kept = URL.createObjectURL;
              URL.createObjectURL = (file) => { file.text().then(done); return kept(file); };
              document.getElementById('csv').click();
              URL.createObjectURL = kept;
            })\
            """);
    List<String> lines = csv.lines().toList();
    assertEquals(1 + 5 * 24, lines.size());
    assertEquals("time,epoch_ms,query,metric,dc,host,value", lines.get(0));
    assertTrue(
        lines.get(1).startsWith("2024-06-02T00:00:00.000Z,1717286400000,A,sys.cpu.user,"),
        lines.get(1));
  }

  @Test
  void stopsARunningQueryAndRefreshesByItself() throws Exception {
    Chromium browser = open("#metric=sys.cpu.user&" + DAY);
    browser.await(DRAWN);
    browser.evaluate(
        "document.getElementById('run').click(); document.getElementById('stop').click()");
    browser.await("document.getElementById('status').textContent.startsWith('Stopped after')");
    assertEquals("true", text(browser, "String(document.getElementById('stop').hidden)"));
    browser.evaluate(
        "document.getElementById('refresh').value = '5';"
            + "document.getElementById('refresh').dispatchEvent(new Event('change'))");
    browser.await("document.getElementById('status').textContent.includes(' As of ')");
    assertTrue(text(browser, "location.hash").contains("refresh=5"));
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
    for (int i = 0; i < 50; i++) {
      browser.press("Tab");
      order
          .append(text(browser, "document.activeElement.id || document.activeElement.className"))
          .append(' ');
    }
    assertTrue(
        order
            .toString()
            .matches(
                ".*range from .*to .*interval zone refresh metric aggregator reducer values rate"
                    + " add quiet tagk0 .*run add-query .*earlier in out later lines .*csv .*"),
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
                .filter((mark) => mark.firstChild)
                .map((mark) => mark.firstChild.getAttribute('stroke').match(/[0-9a-f]{2}/g)
                  .map((part) => parseInt(part, 16)));
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

  private static void picture(Chromium browser, String name, int height) throws Exception {
    browser.evaluate("document.activeElement.blur()");
    browser.resize(1180, height);
    browser.evaluate("new Promise((done) => setTimeout(done, 300))");
    Files.write(Path.of("target", name + ".png"), browser.screenshot());
    browser.resize(1180, 980);
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
