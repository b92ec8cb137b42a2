package io.packhorse.loader.cli;

import java.util.Map;

/**
 * Where the HBase client logs: nowhere, or to the file named by {@code PACKHORSE_LOG}. Never to the
 * console, which belongs to the command's own words.
 *
 * <p>Speaks through system properties, because log4j reads them when the first HBase class loads.
 */
final class ClientLog {
  private static final String VARIABLE = "PACKHORSE_LOG";

  private ClientLog() {}

  static void configure(Map<String, String> environment) {
    String file = environment.getOrDefault(VARIABLE, "");
    System.setProperty("log4j.configuration", "packhorse-loader-log4j.properties");
    System.setProperty("packhorse.log.root", file.isEmpty() ? "OFF" : "INFO, FILE");
    System.setProperty("packhorse.log.file", file);
  }
}
