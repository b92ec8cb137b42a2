package io.packhorse.cluster.check;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All string constants in the classes of Hadoop, HBase, ZooKeeper and OpenTSDB. Many settings are
 * in no {@code *-default.xml}, but a name that is in no class cannot have an effect.
 */
final class KnownNames {
  private static final Pattern PRODUCT =
      Pattern.compile(
          "(hadoop-(common|hdfs|hdfs-client|auth)|hbase-[a-z0-9-]+|zookeeper[a-z-]*|opentsdb|asynchbase|packhorse-[a-z-]+)(-[0-9].*)?\\.jar");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.{}-]*");
  private static final int CLASS_MAGIC = 0xCAFEBABE;

  private final Set<String> names;

  private KnownNames(Set<String> names) {
    this.names = names;
  }

  /** Reads the jars of these products on the class path of this JVM. */
  static KnownNames ofClassPath() throws IOException {
    Set<String> names = new HashSet<>();
    for (Path jar : jars()) {
      try (JarFile file = new JarFile(jar.toFile())) {
        Enumeration<JarEntry> entries = file.entries();
        while (entries.hasMoreElements()) {
          JarEntry entry = entries.nextElement();
          if (entry.getName().endsWith(".class")) {
            try (InputStream in = file.getInputStream(entry)) {
              addConstants(new DataInputStream(new BufferedInputStream(in, 1 << 16)), names);
            }
          }
        }
      }
    }
    return new KnownNames(names);
  }

  private static List<Path> jars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(path -> path.getFileName() != null)
        .filter(path -> PRODUCT.matcher(path.getFileName().toString()).matches())
        .toList();
  }

  /** Reads a constant pool; tags and lengths are those of the JVM specification, section 4.4. */
  private static void addConstants(DataInputStream in, Set<String> names) throws IOException {
    if (in.readInt() != CLASS_MAGIC) {
      return;
    }
    in.skipNBytes(4);
    int count = in.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> {
          String text = in.readUTF();
          if (NAME.matcher(text).matches()) {
            names.add(text);
          }
        }
        case 5, 6 -> {
          in.skipNBytes(8);
          i++;
        }
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 15 -> in.skipNBytes(3);
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        default -> throw new IOException("unknown kind of constant: tag=" + tag);
      }
    }
  }

  boolean contains(String name) {
    return names.contains(name);
  }

  int size() {
    return names.size();
  }
}
