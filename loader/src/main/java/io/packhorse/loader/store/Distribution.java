package io.packhorse.loader.store;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folders of jars from which the processes run.
 *
 * @param lib folder with {@code loader}, {@code hbase}, {@code tsd-overlay} and {@code tsd}
 */
public record Distribution(Path lib) {
  /** System property with the path of {@code lib}, set by the launcher and by tests. */
  public static final String PROPERTY = "packhorse.lib";

  /**
   * The distribution of this JVM: named by the launcher, else the folder above that of this class's
   * jar.
   */
  public static Distribution current() {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return new Distribution(Path.of(given).toAbsolutePath());
    }
    try {
      Path jar =
          Path.of(Distribution.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return new Distribution(jar.resolveSibling("..").toAbsolutePath().normalize());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("jar of this class has no file path", e);
    }
  }

  /**
   * Class path of all jars in folders, in this order.
   *
   * @throws StoreException if one is missing or empty
   */
  String classPath(List<String> folders) throws StoreException, IOException {
    for (String folder : folders) {
      if (jars(folder).isEmpty()) {
        throw StoreException.refused(
            "no jars in " + lib.resolve(folder) + "; build or unpack Packhorse again");
      }
    }
    return folders.stream()
        .map(folder -> lib.resolve(folder).resolve("*").toString())
        .collect(Collectors.joining(java.io.File.pathSeparator));
  }

  /**
   * Options for a process on this JVM's JDK; JDK 24 and later need some, a file in lib has them.
   */
  List<String> jvmOptions() {
    return Runtime.version().feature() < 24
        ? List.of()
        : List.of("@" + lib.resolve("jvm-24.options"));
  }

  /** Version in the name of a jar, as in {@code opentsdb-2.4.1.jar}; "unknown" if there is none. */
  public String version(String folder, String artifact) throws IOException {
    Pattern name = Pattern.compile(Pattern.quote(artifact) + "-([0-9].*)\\.jar");
    return jars(folder).stream()
        .map(name::matcher)
        .filter(Matcher::matches)
        .map(found -> found.group(1))
        .findFirst()
        .orElse("unknown");
  }

  private List<String> jars(String folder) throws IOException {
    Path dir = lib.resolve(folder);
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(dir)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(n -> n.endsWith(".jar"))
          .toList();
    }
  }
}
