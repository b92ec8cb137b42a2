package io.packhorse.loader.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One page of a Chromium of its own, driven over its debugging protocol on loopback.
 *
 * <p>For one thread. Whatever the page asks for and complains about is kept for the test to look
 * at.
 */
public final class Chromium implements AutoCloseable {
  /** Environment variable with the path of the browser, before what is on the search path. */
  public static final String VARIABLE = "PACKHORSE_CHROMIUM";

  private static final Duration WAIT_MAX = Duration.ofSeconds(90);
  private static final Pattern LISTENING = Pattern.compile("ws://127\\.0\\.0\\.1:(\\d+)/\\S+");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Path profile;
  private final WebSocket socket;
  private final Incoming incoming;
  private final AtomicInteger calls = new AtomicInteger();

  private Chromium(Process process, Path profile, WebSocket socket, Incoming incoming) {
    this.process = process;
    this.profile = profile;
    this.socket = socket;
    this.incoming = incoming;
  }

  /** The browser of this machine, if it has one. */
  public static Optional<Path> find() {
    String given = System.getenv(VARIABLE);
    if (given != null) {
      return Optional.of(Path.of(given));
    }
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(
            name ->
                Pattern.compile(File.pathSeparator).splitAsStream(path).map(d -> Path.of(d, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts it with one empty page of the given size in pixels. */
  public static Chromium start(Path browser, int width, int height) throws Exception {
    Path profile = Files.createTempDirectory("packhorse-chromium-");
    Process process =
        new ProcessBuilder(
                browser.toString(),
                "--headless=new",
                // Tests run as root in containers, where its own sandbox cannot.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--remote-debugging-address=127.0.0.1",
                "--remote-debugging-port=0",
                "--window-size=" + width + "," + height,
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      int port = port(process);
      Incoming incoming = new Incoming();
      WebSocket socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .connectTimeout(WAIT_MAX)
              .buildAsync(URI.create(pageAddress(port)), incoming)
              .get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
      Chromium chromium = new Chromium(process, profile, socket, incoming);
      for (String domain : List.of("Page", "Runtime", "Network", "Log", "Accessibility")) {
        chromium.call(domain + ".enable", Map.of());
      }
      chromium.call(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
      return chromium;
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Goes to an address and waits until it is loaded. */
  public void open(URI address) throws Exception {
    call("Page.navigate", Map.of("url", "about:blank"));
    call("Page.navigate", Map.of("url", address.toString()));
    await("document.readyState === 'complete' && location.href !== 'about:blank'");
  }

  /** The value of an expression in the page, promises awaited. */
  public JsonNode evaluate(String expression) throws Exception {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.path("result").path("value");
  }

  /** Waits until an expression is true; fails with it after 90 s. */
  public void await(String condition) throws Exception {
    long deadline = System.nanoTime() + WAIT_MAX.toNanos();
    while (!evaluate("Boolean(" + condition + ")").asBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "never true: "
                + condition
                + "; the page says: "
                + evaluate("document.body.innerText").asText());
      }
      Thread.sleep(25);
    }
  }

  /** Types into what has the focus. */
  public void type(String text) throws Exception {
    for (int i = 0; i < text.length(); i++) {
      String letter = text.substring(i, i + 1);
      call("Input.dispatchKeyEvent", Map.of("type", "keyDown", "text", letter, "key", letter));
      call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", letter));
    }
  }

  /** Presses a named key, as in {@code Tab}, {@code ArrowDown}, {@code Enter}, {@code Escape}. */
  public void press(String key) throws Exception {
    int code =
        switch (key) {
          case "Tab" -> 9;
          case "Enter" -> 13;
          case "Escape" -> 27;
          case "ArrowUp" -> 38;
          case "ArrowDown" -> 40;
          default -> throw new IllegalArgumentException("no such key here: " + key);
        };
    ObjectNode down = JSON.createObjectNode();
    down.put("type", "keyDown").put("key", key).put("code", key).put("windowsVirtualKeyCode", code);
    if (key.equals("Enter")) {
      down.put("text", "\r");
    }
    call("Input.dispatchKeyEvent", down);
    call(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code));
  }

  /** Light or dark, as the visitor's system would ask for. */
  public void prefer(String scheme) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Other window size, in pixels. */
  public void resize(int width, int height) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** What a screen reader gets: role and name of each node it does not skip. */
  public List<String> accessibleNodes() throws Exception {
    List<String> nodes = new ArrayList<>();
    for (JsonNode node : call("Accessibility.getFullAXTree", Map.of()).get("nodes")) {
      if (!node.get("ignored").asBoolean()) {
        nodes.add(
            node.path("role").path("value").asText()
                + ":"
                + node.path("name").path("value").asText());
      }
    }
    return nodes;
  }

  /** A PNG of what is in the window. */
  public byte[] screenshot() throws Exception {
    String data =
        call("Page.captureScreenshot", Map.of("format", "png", "optimizeForSpeed", false))
            .get("data")
            .asText();
    return Base64.getDecoder().decode(data);
  }

  /** Addresses asked for since the start. */
  public List<String> requests() {
    return incoming.params("Network.requestWillBeSent").stream()
        .map(event -> event.get("request").get("url").asText())
        .toList();
  }

  /** Exceptions, policy violations and failed requests since the start. */
  public List<String> complaints() {
    List<String> found = new ArrayList<>();
    incoming.params("Runtime.exceptionThrown").forEach(e -> found.add(e.toString()));
    incoming.params("Log.entryAdded").stream()
        .map(e -> e.get("entry"))
        .filter(e -> !e.get("level").asText().equals("verbose"))
        .forEach(e -> found.add(e.get("text").asText() + " " + e.path("url").asText()));
    return found;
  }

  /** One call of the protocol; fails with the browser's own words. */
  private JsonNode call(String method, Object parameters) throws Exception {
    int id = calls.incrementAndGet();
    CompletableFuture<JsonNode> answer = incoming.expect(id);
    String text = JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
    socket.sendText(text, true).get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
    JsonNode message = answer.get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
    if (message.has("error")) {
      throw new IllegalStateException(method + ": " + message.get("error"));
    }
    return message.get("result");
  }

  private static int port(Process process) throws IOException {
    // Not closed: what it still says there must not fill the pipe of a closed reader.
    BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = errors.readLine(); line != null; line = errors.readLine()) {
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        Thread drain = new Thread(() -> errors.lines().forEach(l -> {}), "chromium-errors");
        drain.setDaemon(true);
        drain.start();
        return Integer.parseInt(listening.group(1));
      }
      said.append(line).append('\n');
    }
    throw new IOException("Chromium ended while starting: " + said);
  }

  private static String pageAddress(int port) throws Exception {
    HttpRequest list =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list")).build();
    String pages = HttpClient.newHttpClient().send(list, BodyHandlers.ofString()).body();
    for (JsonNode page : JSON.readTree(pages)) {
      if (page.get("type").asText().equals("page")) {
        return page.get("webSocketDebuggerUrl").asText();
      }
    }
    throw new IOException("Chromium has no page: " + pages);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    socket.abort();
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    // Its helpers may still write for a moment after it has gone.
    for (int attempt = 0; Files.exists(profile) && attempt < 40; attempt++) {
      try {
        Files.walkFileTree(profile, new Deletion());
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException error)
        throws IOException {
      Files.deleteIfExists(dir);
      return FileVisitResult.CONTINUE;
    }
  }

  /** Answers to calls, and events; on the socket's thread. */
  private static final class Incoming implements WebSocket.Listener {
    private final Map<Integer, CompletableFuture<JsonNode>> expected = new ConcurrentHashMap<>();
    private final List<JsonNode> events = Collections.synchronizedList(new ArrayList<>());
    private final StringBuilder part = new StringBuilder();

    CompletableFuture<JsonNode> expect(int id) {
      CompletableFuture<JsonNode> answer = new CompletableFuture<>();
      expected.put(id, answer);
      return answer;
    }

    List<JsonNode> params(String method) {
      synchronized (events) {
        return events.stream()
            .filter(event -> event.get("method").asText().equals(method))
            .map(event -> event.get("params"))
            .toList();
      }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        take(part.toString());
        part.setLength(0);
      }
      socket.request(1);
      return null;
    }

    private void take(String text) {
      try {
        JsonNode message = JSON.readTree(text);
        if (message.has("id")) {
          CompletableFuture<JsonNode> answer = expected.remove(message.get("id").asInt());
          if (answer != null) {
            answer.complete(message);
          }
        } else {
          events.add(message);
        }
      } catch (IOException e) {
        throw new IllegalStateException("not JSON: " + text, e);
      }
    }
  }
}
