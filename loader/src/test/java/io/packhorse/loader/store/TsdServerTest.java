package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class TsdServerTest {
  @Test
  void configuresTheTsdForTheTablesWeMake() throws Exception {
    Properties conf = new Properties();
    conf.load(new StringReader(TsdServer.configuration(Path.of("/s/tsd"), 2181, 4242)));
    assertEquals("4242", conf.getProperty("tsd.network.port"));
    assertEquals("127.0.0.1", conf.getProperty("tsd.network.bind"));
    assertEquals("127.0.0.1:2181", conf.getProperty("tsd.storage.hbase.zk_quorum"));
    assertEquals("1", conf.getProperty("tsd.storage.salt.width"));
    assertEquals("4", conf.getProperty("tsd.storage.salt.buckets"));
    assertEquals("true", conf.getProperty("tsd.core.auto_create_metrics"));
    assertEquals("false", conf.getProperty("tsd.storage.enable_compaction"));
    assertEquals("/s/tsd/static", conf.getProperty("tsd.http.staticroot"));
    assertEquals("/s/tsd/cache", conf.getProperty("tsd.http.cachedir"));
  }

  @Test
  void logsToABoundedFile() {
    String xml = TsdServer.logging(Path.of("/s/log/tsd.log"));
    assertTrue(xml.contains("<file>/s/log/tsd.log</file>"), xml);
    assertTrue(xml.contains("/s/log/tsd.log.%i"), xml);
    assertTrue(xml.contains("%msg%n"), xml);
    assertTrue(xml.contains("{'\\n(?=.)','$0  '}"), xml);
  }

  @Test
  void worksInAFolderOfAnyName() throws Exception {
    Path store = Path.of("/R&D <1>/Müller\\s");
    Properties conf = new Properties();
    // As OpenTSDB reads it.
    conf.load(
        new ByteArrayInputStream(
            TsdServer.configuration(store, 2181, 4242).getBytes(StandardCharsets.UTF_8)));
    assertEquals(store + "/static", conf.getProperty("tsd.http.staticroot"));
    assertEquals(store + "/cache", conf.getProperty("tsd.http.cachedir"));
    Document logging =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(TsdServer.logging(store))));
    assertEquals(store.toString(), logging.getElementsByTagName("file").item(0).getTextContent());
  }
}
