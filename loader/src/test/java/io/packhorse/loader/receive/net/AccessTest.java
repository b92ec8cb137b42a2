package io.packhorse.loader.receive.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.Intake;
import io.packhorse.loader.receive.ReceiverStatus;
import io.packhorse.loader.receive.log.SegmentLog;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS and log-ins, as clients use them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class AccessTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String LINE = "m,h=a v=1i 1704067200000000000\n";
  private static final ReceiverStatus STATUS =
      new ReceiverStatus() {
        @Override
        public String text() {
          return "text";
        }

        @Override
        public String metrics() {
          return "";
        }

        @Override
        public String problem() {
          return "";
        }

        @Override
        public String readiness() {
          return "ready for writes";
        }

        @Override
        public String version() {
          return "test";
        }
      };

  @TempDir private Path folder = Path.of("");

  @SuppressWarnings("NullAway.Init")
  private Intake intake;

  @BeforeEach
  void open() throws IOException {
    intake =
        new Intake(
            SegmentLog.open(folder.resolve("log"), 1 << 16, 1 << 20),
            new SourceSpec(
                Optional.empty(),
                Optional.empty(),
                SeriesRules.NONE,
                TableOptions.NONE,
                new FieldRules(true, true)),
            new Intake.Limits(1 << 20, 1 << 20, 3_600_000));
  }

  @AfterEach
  void close() throws IOException {
    intake.close();
  }

  private ReceiverServer server(Access access) {
    return new ReceiverServer(
        new CurrentIntake(intake),
        STATUS,
        new ReceiverServer.Limits(1 << 16, 1 << 20, 10, 30),
        access,
        ReceiverServer.Ack.DISK,
        2);
  }

  @Test
  void clientsLogInEachInItsOwnWay() throws Exception {
    Path file = Files.writeString(folder.resolve("users"), "# agents\nagent:se:cret\n\nb:other\n");
    Access access = new Access(Optional.empty(), Optional.of(Credentials.read(file)));
    try (ReceiverServer server = server(access)) {
      HttpClient client = HttpClient.newHttpClient();
      String at = "http://127.0.0.1:" + server.listenHttp(ANY).getPort();
      assertEquals(204, write(client, at + "/write", "Basic " + base64("agent:se:cret")));
      assertEquals(204, write(client, at + "/api/v2/write", "Token agent:se:cret"));
      assertEquals(204, write(client, at + "/api/v2/write", "Token other"));
      assertEquals(204, write(client, at + "/write", "bearer other"));
      assertEquals(204, write(client, at + "/write?u=b&p=other", ""));
      assertEquals(401, write(client, at + "/write", ""));
      assertEquals(401, write(client, at + "/write?u=b&p=", ""));
      assertEquals(401, write(client, at + "/write?u=b&p=other", "Token wrong"));
      assertEquals(401, write(client, at + "/write", "Basic " + base64("agent:other")));
      assertEquals(401, write(client, at + "/write", "Basic this is not base64"));
      assertEquals(401, write(client, at + "/api/put", "Digest x"));
      assertEquals(401, write(client, at + "/metrics", ""));
      assertEquals(200, write(client, at + "/health", ""));
      assertEquals(204, write(client, at + "/ping", ""));
      assertEquals(5, intake.points());
      HttpResponse<String> refused =
          client.send(
              HttpRequest.newBuilder(URI.create(at + "/api/v2/write"))
                  .POST(HttpRequest.BodyPublishers.ofString(LINE))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(
          "Basic realm=\"packhorse\"", refused.headers().firstValue("WWW-Authenticate").orElse(""));
      assertTrue(refused.body().contains("\"code\":\"unauthorized\""), refused.body());
    }
  }

  @Test
  void credentialsSayWhichLineIsWrongAndNotWhatIsInIt() throws Exception {
    Path file = Files.writeString(folder.resolve("users"), "a:b\n\nsecret\n");
    IOException wrong = assertThrows(IOException.class, () -> Credentials.read(file));
    assertEquals(file + ", line 3: write a name, a colon and a password", wrong.getMessage());
    Path empty = Files.writeString(folder.resolve("none"), "# nobody\n");
    assertThrows(IOException.class, () -> Credentials.read(empty));
  }

  @Test
  void everyListenerSpeaksTls() throws Exception {
    KeyStore keys = selfSigned();
    Path certificate = folder.resolve("certificate.pem");
    Path key = folder.resolve("key.pem");
    pem(certificate, "CERTIFICATE", keys.getCertificate("it").getEncoded());
    pem(key, "PRIVATE KEY", keys.getKey("it", PASSWORD).getEncoded());
    SSLContext trusting = trusting(keys);
    Access access = new Access(Optional.of(Access.tls(certificate, key)), Optional.empty());
    try (ReceiverServer server = server(access)) {
      int http = server.listenHttp(ANY).getPort();
      HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
      assertEquals(204, write(client, "https://127.0.0.1:" + http + "/write", ""));
      int telnet = server.listenTelnet(ANY).getPort();
      try (Socket socket = trusting.getSocketFactory().createSocket("127.0.0.1", telnet)) {
        socket
            .getOutputStream()
            .write("put m 1704067200 1 h=a\nversion\nexit\n".getBytes(StandardCharsets.UTF_8));
        assertTrue(said(socket).startsWith("net.opentsdb.tools"));
      }
      int lines = server.listenInflux(ANY).getPort();
      try (Socket socket = trusting.getSocketFactory().createSocket("127.0.0.1", lines)) {
        socket.getOutputStream().write(LINE.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        while (intake.points() < 3) {
          Thread.sleep(5);
        }
      }
      try (Socket plain = new Socket(ANY.getAddress(), http)) {
        plain
            .getOutputStream()
            .write("GET /health HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        assertTrue(!said(plain).contains("200"), "no answer in the clear");
      }
    }
  }

  @Test
  void whatIsNoKeyIsNamed() throws Exception {
    Path wrong = Files.writeString(folder.resolve("key.pem"), "nonsense");
    IOException refused = assertThrows(IOException.class, () -> Access.tls(wrong, wrong));
    assertTrue(String.valueOf(refused.getMessage()).contains("PKCS#8"), refused.toString());
    Path missing = folder.resolve("missing.pem");
    assertEquals(
        missing + " cannot be read",
        assertThrows(IOException.class, () -> Access.tls(missing, wrong)).getMessage());
  }

  private static int write(HttpClient client, String at, String authorization) throws Exception {
    boolean page = !at.contains("write") && !at.contains("put");
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(at));
    if (!page) {
      request.POST(HttpRequest.BodyPublishers.ofString(LINE));
    }
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String said(Socket socket) throws IOException {
    socket.setSoTimeout(20_000);
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private KeyStore selfSigned() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    assertEquals(0, keytool.waitFor());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static void pem(Path file, String kind, byte[] bytes) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
  }

  private static SSLContext trusting(KeyStore keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("it", keys.getCertificate("it"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
