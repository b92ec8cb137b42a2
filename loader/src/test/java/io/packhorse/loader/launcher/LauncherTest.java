package io.packhorse.loader.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A source tree of empty files with the real scripts. The fake java prints its working directory
 * and arguments; the fake mvn makes the distribution without jars and counts its runs.
 */
final class LauncherTest {
  private static final String MVN_BUILDS =
      """
      echo run >> "$COUNT"
      echo "JAVA_HOME=$JAVA_HOME $*" > "$COUNT.arguments"
      mkdir -p target/dist/lib/loader
      cp bundle/packhorse target/dist/
      cp bundle/lib/* target/dist/lib/
      """;
  private static final Path PROJECT = Path.of(System.getProperty("packhorse.root"));

  @TempDir private Path temp = Path.of("");
  private Path root = temp;
  private final Map<String, String> environment = new HashMap<>();

  private record Ended(int code, String out, String err) {}

  @BeforeEach
  void makeTree() throws IOException {
    root = temp.resolve("tree with space");
    Files.createDirectories(root);
    executable(root.resolve("packhorse"), Files.readString(PROJECT.resolve("packhorse")));
    executable(root.resolve("bundle/build"), Files.readString(PROJECT.resolve("bundle/build")));
    unpack(root.resolve("bundle"));
    for (String module : List.of("schema", "opentsdb-patches", "loader", "loader/embedded")) {
      touch(root.resolve(module).resolve("pom.xml"));
      touch(root.resolve(module).resolve("src/main/java/A.java"));
    }
    touch(root.resolve("opentsdb-patches/patches/series"));
    touch(root.resolve("pom.xml"));
    environment.put("PACKHORSE_JAVA_HOME", jdk("17.0.1").toString());
    environment.put("PATH", path("mvn", MVN_BUILDS).toString() + ":/usr/bin:/bin");
    environment.put("COUNT", temp.resolve("count").toString());
  }

  @Test
  void buildsOnceAndAgainOnlyWhenASourceIsNewer() throws Exception {
    Ended first = launch("server", "status");
    assertEquals(0, first.code(), first.err());
    assertTrue(first.err().startsWith("packhorse: building (the first time"), first.err());
    assertEquals(1, builds());

    Ended second = launch("server", "status");
    assertEquals("", second.err());
    assertEquals(1, builds());

    Path source = root.resolve("schema/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
    assertTrue(launch().err().startsWith("packhorse: building; log: "));
    assertEquals(2, builds());
  }

  @Test
  void buildsWithoutTestsAndChecksAndOnTheChosenJdk() throws Exception {
    launch();
    String arguments = Files.readString(temp.resolve("count.arguments"));
    assertTrue(arguments.startsWith("JAVA_HOME=" + temp.resolve("jdk-17.0.1")), arguments);
    assertTrue(arguments.contains("-DskipTests -Dchecks.skip=true"), arguments);
    assertTrue(arguments.contains("-pl schema,opentsdb-patches,loader/embedded,loader"), arguments);
  }

  @Test
  void throwsOldJarsAwayWhenAPomHasChanged() throws Exception {
    launch();
    Path old = root.resolve("target/dist/lib/loader/old-1.0.jar");
    touch(old);
    Files.setLastModifiedTime(root.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(5)));
    launch();
    assertFalse(Files.exists(old));
  }

  @Test
  void keepsTheClassesOfALoadUntilAJarChanges() throws Exception {
    Path lib = root.resolve("target/dist/lib");
    String keeping = "-XX:ArchiveClassesAtExit=" + lib.resolve("loader-17.jsa");
    String keptHere = "-XX:SharedArchiveFile=" + lib.resolve("loader-17.jsa");
    assertTrue(launch("load", "x").out().contains(keeping));
    touch(lib.resolve("loader-17.jsa"));
    Files.setLastModifiedTime(
        lib.resolve("loader-17.jsa"), FileTime.from(Instant.now().plusSeconds(5)));
    assertTrue(launch("load", "x").out().contains(keeping), "no load has ended well");
    touch(lib.resolve("loader-17.jsa.whole"));
    assertTrue(launch("load", "x").out().contains(keptHere));
    assertTrue(launch("verify").out().contains(keptHere));
    assertFalse(launch("server", "status").out().contains(".jsa"));
    touch(lib.resolve("loader/new.jar"));
    Files.setLastModifiedTime(
        lib.resolve("loader/new.jar"), FileTime.from(Instant.now().plusSeconds(9)));
    assertTrue(launch("load", "x").out().contains(keeping));
  }

  @Test
  void doesNotBuildWhenToldNotTo() throws Exception {
    environment.put("PACKHORSE_BUILD", "never");
    Ended missing = launch();
    assertEquals(7, missing.code());
    assertTrue(missing.err().contains("PACKHORSE_BUILD=never forbids"), missing.err());

    unpack(root.resolve("target/dist"));
    Files.createDirectories(root.resolve("target/dist/lib/loader"));
    assertEquals(0, launch().code());
    assertFalse(Files.exists(temp.resolve("count")));
  }

  @Test
  void runsFromAnywhereThroughALinkAndKeepsTheWorkingDirectory() throws Exception {
    Path elsewhere = Files.createDirectories(temp.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("ph"), root.resolve("packhorse"));
    Ended ended = launch(elsewhere, link, "load", "a file");
    assertEquals(0, ended.code(), ended.err());
    List<String> lines = ended.out().lines().toList();
    assertEquals(elsewhere.toRealPath().toString(), lines.get(0));
    assertTrue(lines.contains("-Dpackhorse.home=" + root.toRealPath()), ended.out());
    assertTrue(
        lines.contains(root.toRealPath().resolve("target/dist/lib/loader") + "/*"), ended.out());
    assertEquals("a file", lines.get(lines.size() - 1));
  }

  @Test
  void findsItselfBelowAFolderThatCdpathNames() throws Exception {
    environment.put("CDPATH", ".:/tmp");
    Ended ended = launch(root.resolveSibling(""), Path.of("tree with space", "packhorse"));
    assertEquals(0, ended.code(), ended.err());
    assertTrue(ended.out().contains("-Dpackhorse.home=" + root.toRealPath() + "\n"), ended.out());
  }

  @Test
  void namesFilesInUtf8WhereNoLanguageIsSet() throws Exception {
    environment.put("PACKHORSE_JAVA_HOME", jdk("17.0.2").toString());
    executable(temp.resolve("jdk-17.0.2/bin/java"), "echo \"language ${LC_ALL:-$LANG}\"\n");
    assertEquals("language C.UTF-8", launch().out().strip());
    environment.put("LANG", "C");
    assertEquals("language C.UTF-8", launch().out().strip());
    environment.put("LANG", "de_DE.ISO-8859-1");
    assertEquals("language de_DE.ISO-8859-1", launch().out().strip());
  }

  @Test
  void readsTheOptionsOfTheCommandAndOfTheJdkFromFiles() throws Exception {
    Path lib = root.toRealPath().resolve("target/dist/lib");
    String all = "@" + lib.resolve("jvm.options");
    String load = "@" + lib.resolve("jvm-load.options");
    String newer = "@" + lib.resolve("jvm-24.options");
    assertEquals(List.of(all), files(launch("server", "status")));
    assertEquals(List.of(all, load), files(launch("verify")));
    environment.put("PACKHORSE_JAVA_HOME", jdk("25.0.1").toString());
    String headers = "@" + lib.resolve("jvm-25.options");
    assertEquals(List.of(all, newer, headers, load), files(launch("loadtest", "fill")));
    environment.put("PACKHORSE_JAVA_HOME", jdk("24.0.1").toString());
    assertEquals(List.of(all, newer), files(launch()));
    environment.put("PACKHORSE_JAVA_HOME", jdk("23.0.1").toString());
    assertEquals(List.of(all), files(launch()));
  }

  private static List<String> files(Ended ended) {
    return ended.out().lines().filter(line -> line.startsWith("@")).toList();
  }

  @Test
  void hasOptionsThatThisJvmKnows() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Map<String, Integer> since = Map.of("jvm", 17, "jvm-load", 17, "jvm-24", 24, "jvm-25", 25);
    since.forEach(
        (file, feature) -> {
          if (Runtime.version().feature() >= feature) {
            command.add("@" + PROJECT.resolve("bundle/lib").resolve(file + ".options"));
          }
        });
    command.add("-version");
    Path said = temp.resolve("said.txt");
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start()
            .waitFor();
    assertEquals(0, code, Files.readString(said));
    assertFalse(Files.readString(said).contains("arning"), Files.readString(said));
  }

  @Test
  void givesTheCommandTheHeapThatIsAskedFor() throws Exception {
    assertTrue(launch("load", "x").out().contains("-XX:MaxNewSize=256m"));
    environment.put("PACKHORSE_HEAP", "2g");
    String arguments = launch("load", "x").out();
    assertTrue(arguments.contains("-Xmx2g"), arguments);
    assertFalse(arguments.contains("-XX:MaxNewSize"), arguments);
  }

  @Test
  void handsPropertiesToTheJvm() throws Exception {
    List<String> lines = launch("-Da=b", "--dir", "-Dnot").out().lines().toList();
    assertTrue(lines.indexOf("-Da=b") < lines.indexOf("-cp"), lines.toString());
    assertTrue(lines.indexOf("-Dnot") > lines.indexOf("-cp"), lines.toString());
  }

  @Test
  void passesTheExitCodeOn() throws Exception {
    environment.put("EXIT_WITH", "6");
    assertEquals(6, launch().code());
  }

  @Test
  void neverBuildsInAnUnpackedDistribution() throws Exception {
    Path unpacked = Files.createDirectories(temp.resolve("unpacked"));
    unpack(unpacked);
    Ended without = launch(temp, unpacked.resolve("packhorse"));
    assertEquals(7, without.code());
    assertTrue(without.err().contains("no jars in"), without.err());

    Files.createDirectories(unpacked.resolve("lib/loader"));
    Ended with = launch(temp, unpacked.resolve("packhorse"));
    assertEquals(0, with.code(), with.err());
    assertTrue(with.out().contains("-Dpackhorse.home=" + unpacked.toRealPath()), with.out());
    assertFalse(Files.exists(temp.resolve("count")));
  }

  @Test
  void refusesJavaThatIsTooOldOrTooNewAndSaysWhatItFound() throws Exception {
    environment.put("PACKHORSE_JAVA_HOME", jdk("26").toString());
    Ended newer = launch();
    assertEquals(7, newer.code());
    assertTrue(
        newer.err().startsWith("packhorse: needs a JDK of version 17 to 25; found 26 in "),
        newer.err());
    environment.put("PACKHORSE_JAVA_HOME", jdk("1.8.0_202").toString());
    assertTrue(launch().err().contains("found 8 in "));
  }

  @Test
  void fallsBackFromAnUnsuitableJavaHomeToThePath() throws Exception {
    environment.remove("PACKHORSE_JAVA_HOME");
    environment.put("JAVA_HOME", jdk("11.0.2").toString());
    environment.put("PATH", jdk("21.0.4").resolve("bin") + ":" + environment.get("PATH"));
    assertEquals(0, launch().code());
    String arguments = Files.readString(temp.resolve("count.arguments"));
    assertTrue(
        arguments.startsWith("JAVA_HOME=" + temp.toRealPath().resolve("jdk-21.0.4")), arguments);
  }

  @Test
  void asksTheJavaItselfWhereTheHomeDoesNotSay() throws Exception {
    Path home = jdk("17.0.1");
    Files.delete(home.resolve("release"));
    executable(home.resolve("bin/java"), "echo 'openjdk version \"19.0.2\" 2023-01-17' >&2\n");
    assertEquals(0, launch().code());
  }

  @Test
  void namesWhatToInstallWhenMavenOrTheCompilerIsMissing() throws Exception {
    environment.put("PATH", toolsOnly().toString());
    Ended noMaven = launch();
    assertEquals(7, noMaven.code());
    assertEquals(
        "packhorse: needs Maven 3.8 or later to build itself"
            + " (Debian, Ubuntu: apt install maven).",
        noMaven.err().strip());

    environment.put("PATH", path("mvn", MVN_BUILDS) + ":/usr/bin:/bin");
    Files.delete(jdk("17.0.1").resolve("bin/javac"));
    Ended noCompiler = launch();
    assertEquals(7, noCompiler.code());
    assertTrue(noCompiler.err().contains("has no javac"), noCompiler.err());
  }

  @Test
  void tellsAMissingNetworkFromABrokenBuild() throws Exception {
    environment.put(
        "PATH",
        path("mvn", "echo '[ERROR] Could not transfer artifact a:b:1'; exit 1\n")
            + ":/usr/bin:/bin");
    Ended offline = launch();
    assertEquals(7, offline.code());
    assertTrue(offline.err().contains("check the network"), offline.err());

    environment.put(
        "PATH", path("mvn", "echo '[ERROR] A.java: not a statement'; exit 1\n") + ":/usr/bin:/bin");
    Ended broken = launch();
    assertEquals(7, broken.code());
    assertTrue(broken.err().contains("A.java: not a statement"), broken.err());
    assertTrue(broken.err().contains("the build failed. Log: "), broken.err());
    assertFalse(broken.err().contains("network"), broken.err());
  }

  /** What a distribution has besides jars, as the build lays it out. */
  private static void unpack(Path folder) throws IOException {
    executable(folder.resolve("packhorse"), Files.readString(PROJECT.resolve("bundle/packhorse")));
    Files.createDirectories(folder.resolve("lib"));
    try (Stream<Path> files = Files.list(PROJECT.resolve("bundle/lib"))) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve("lib").resolve(file.getFileName()));
      }
    }
  }

  private int builds() throws IOException {
    return Files.readAllLines(temp.resolve("count")).size();
  }

  /** A JDK of a version; its java prints what it is given, one line each. */
  private Path jdk(String version) throws IOException {
    Path home = temp.resolve("jdk-" + version);
    executable(home.resolve("bin/java"), "pwd -P\nprintf '%s\\n' \"$@\"\nexit ${EXIT_WITH:-0}\n");
    executable(home.resolve("bin/javac"), "exit 0\n");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Path path(String name, String script) throws IOException {
    Path bin = temp.resolve("bin");
    executable(bin.resolve(name), script);
    return bin;
  }

  /** What the script itself calls, and no Maven. */
  private Path toolsOnly() throws IOException {
    Path tools = temp.resolve("tools");
    for (String tool :
        List.of("bash", "dirname", "readlink", "sed", "head", "find", "mkdir", "touch")) {
      for (String folder : List.of("/usr/bin", "/bin")) {
        Path original = Path.of(folder, tool);
        if (Files.exists(original)) {
          executable(tools.resolve(tool), "exec " + original + " \"$@\"\n");
        }
      }
    }
    return tools;
  }

  private static void executable(Path file, String script) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, script.startsWith("#!") ? script : "#!/bin/sh\n" + script);
    assertTrue(file.toFile().setExecutable(true));
  }

  /** An empty file, old enough not to look newer than a build that follows at once. */
  private static void touch(Path file) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "");
    FileTime past = FileTime.from(Instant.now().minusSeconds(60));
    Files.setLastModifiedTime(file, past);
    Files.setLastModifiedTime(file.resolveSibling("."), past);
  }

  private Ended launch(String... arguments) throws Exception {
    return launch(temp, root.resolve("packhorse"), arguments);
  }

  private Ended launch(Path workingDirectory, Path script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
    command.addAll(List.of(arguments));
    Path out = temp.resolve("out.txt");
    Path err = temp.resolve("err.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(workingDirectory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    int code = builder.start().waitFor();
    return new Ended(
        code,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
