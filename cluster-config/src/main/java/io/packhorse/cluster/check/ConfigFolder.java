package io.packhorse.cluster.check;

import java.io.IOException;
import java.io.Reader;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.hadoop.conf.Configuration;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A host's rendered configuration.
 *
 * @param path the folder that daemons are started with
 */
record ConfigFolder(Path path) {
  static final List<String> XML_FILES = List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");

  /** Where there is TLS; read by Hadoop and HBase, each by itself. */
  static final List<String> TLS_FILES = List.of("ssl-server.xml", "ssl-client.xml");

  /**
   * One file's settings as they are written, in order. Hadoop's own reader would put current names
   * in the place of deprecated ones.
   *
   * @throws IOException if it is no XML, or a name stands in it twice
   */
  Map<String, String> written(String name) throws IOException {
    NodeList properties;
    try {
      properties =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(path.resolve(name).toFile())
              .getElementsByTagName("property");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(name + ": " + e.getMessage(), e);
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (int i = 0; i < properties.getLength(); i++) {
      Element property = (Element) properties.item(i);
      String key = text(property, "name");
      if (settings.put(key, text(property, "value")) != null) {
        throw new IOException(name + ": " + key + " stands in it twice");
      }
    }
    return settings;
  }

  private static String text(Element property, String tag) {
    Node found = property.getElementsByTagName(tag).item(0);
    return found == null ? "" : found.getTextContent();
  }

  /** All of them over the products' defaults, as a daemon sees them. */
  Configuration all() {
    Configuration settings = defaults();
    XML_FILES.forEach(name -> add(settings, name));
    return settings;
  }

  /** The products' defaults alone. */
  static Configuration defaults() {
    Configuration settings = new Configuration(false);
    Stream.of("core-default.xml", "hdfs-default.xml", "hbase-default.xml")
        .forEach(settings::addResource);
    return settings;
  }

  Properties properties(String name) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(path.resolve(name), StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    return properties;
  }

  boolean has(String name) {
    return Files.isRegularFile(path.resolve(name));
  }

  /** Files of JVM flags, one a daemon. */
  List<Path> jvmFiles() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".jvm")).sorted().toList();
    }
  }

  private void add(Configuration settings, String name) {
    try {
      settings.addResource(path.resolve(name).toUri().toURL());
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a file's URI is no URL: " + path, e);
    }
  }
}
