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
 * Rendered configuration of a host.
 *
 * @param path the configuration folder of its daemons
 */
record ConfigFolder(Path path) {
  static final List<String> XML_FILES = List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");

  /** Present only with TLS. Hadoop and HBase read them separately from the others. */
  static final List<String> TLS_FILES = List.of("ssl-server.xml", "ssl-client.xml");

  /**
   * Settings of one file, in order. Parses the XML itself, because Hadoop's reader replaces
   * deprecated names.
   *
   * @throws IOException if the file is not XML or contains a name twice
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
        throw new IOException(name + ": " + key + " is set twice");
      }
    }
    return settings;
  }

  private static String text(Element property, String tag) {
    Node found = property.getElementsByTagName(tag).item(0);
    return found == null ? "" : found.getTextContent();
  }

  /** All settings and the products' defaults, as a daemon reads them. */
  Configuration all() {
    Configuration settings = defaults();
    XML_FILES.forEach(name -> add(settings, name));
    return settings;
  }

  /** The products' defaults. */
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

  /** Files of JVM flags, one for each daemon. */
  List<Path> jvmFiles() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".jvm")).sorted().toList();
    }
  }

  private void add(Configuration settings, String name) {
    try {
      settings.addResource(path.resolve(name).toUri().toURL());
    } catch (MalformedURLException e) {
      throw new IllegalStateException("URI of a file is not a URL: " + path, e);
    }
  }
}
