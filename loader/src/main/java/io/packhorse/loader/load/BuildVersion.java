package io.packhorse.loader.load;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version and commit this jar was built from, as the build recorded them. */
public final class BuildVersion {
  private BuildVersion() {}

  /** As in {@code Packhorse 0.1.0 (1a2b3c4)}. */
  public static String text() {
    return "Packhorse " + version() + " (" + commit() + ")";
  }

  /** Version of the project. */
  public static String version() {
    return property("version");
  }

  /** Abbreviated commit, followed by "-dirty" for a changed work tree; or "unknown". */
  public static String commit() {
    return property("commit");
  }

  private static String property(String name) {
    Properties build = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream("/packhorse-build.properties")) {
      if (in != null) {
        build.load(in);
      }
    } catch (IOException e) {
      throw new IllegalStateException("packhorse-build.properties in the jar is unreadable", e);
    }
    String value = build.getProperty(name, "");
    return value.isEmpty() || value.startsWith("$") ? "unknown" : value;
  }
}
