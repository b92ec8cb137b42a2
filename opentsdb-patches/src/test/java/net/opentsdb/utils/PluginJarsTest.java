package net.opentsdb.utils;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginJarsTest {
  @TempDir Path home = Path.of("");

  @Test
  @SuppressWarnings("rawtypes") // loadPlugins takes a class and has no place for its parameter.
  void findsPluginsInTheJarsOfADirectory() throws Exception {
    Path source = Files.createDirectories(home.resolve("src")).resolve("Plugin.java");
    Files.writeString(
        source,
        "public class Plugin implements java.util.concurrent.Callable<String> {"
            + " public String call() { return \"plugged\"; } }");
    int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString());
    assertEquals(0, status);
    Path jars = Files.createDirectories(home.resolve("plugins/deep"));
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(jars.resolve("plugin.jar")))) {
      add(jar, "Plugin.class", Files.readAllBytes(source.resolveSibling("Plugin.class")));
      add(
          jar,
          "META-INF/services/java.util.concurrent.Callable",
          "Plugin\n".getBytes(StandardCharsets.UTF_8));
    }
    PluginLoader.loadJARs(home.resolve("plugins").toString());
    @SuppressWarnings("rawtypes") // The class of an interface names no type parameter.
    List<Callable> all = PluginLoader.loadPlugins(Callable.class);
    assertNotNull(all);
    assertEquals("plugged", all.get(0).call());
    Callable<?> one = PluginLoader.loadSpecificPlugin("Plugin", Callable.class);
    assertNotNull(one);
    assertEquals("plugged", one.call());
  }

  private static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new ZipEntry(name));
    jar.write(content);
    jar.closeEntry();
  }
}
