package net.opentsdb.utils;

import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.NullMarked;

/**
 * The jars of {@code tsd.core.plugin_path}, in a class loader of their own: the application's can
 * no longer be extended since JDK 9. Any thread; plugins are loaded while the TSD starts.
 */
@NullMarked
final class PluginJars {
  private static final Loader LOADER = new Loader();

  private PluginJars() {}

  private static final class Loader extends URLClassLoader {
    Loader() {
      super("plugins", new URL[0], PluginJars.class.getClassLoader());
    }

    void add(URL jar) {
      addURL(jar);
    }
  }

  /** Adds a jar. */
  static void add(URL jar) {
    LOADER.add(jar);
  }

  /** Finds the plugins in the jars and on the class path. */
  static ClassLoader loader() {
    return LOADER;
  }
}
