package net.opentsdb.core;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The test class path without the patched classes, so that the published ones are found. */
final class StockLoader {
  private StockLoader() {}

  /** A harness over the published classes. */
  @SuppressWarnings("unchecked")
  static Function<Map<String, Object>, List<String>> harness() {
    try {
      List<URL> urls = new ArrayList<>();
      Path patched = Path.of("target/classes").toAbsolutePath();
      String classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      for (String entry : classPath.split(File.pathSeparator, -1)) {
        Path path = Path.of(entry).toAbsolutePath();
        if (!path.equals(patched)) {
          urls.add(path.toUri().toURL());
        }
      }
      ClassLoader loader =
          new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
      return (Function<Map<String, Object>, List<String>>)
          loader.loadClass("net.opentsdb.core.QueryHarness").getDeclaredConstructor().newInstance();
    } catch (MalformedURLException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
