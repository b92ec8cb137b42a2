package io.packhorse.patches;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Unpacks the published sources, applies an ordered series of unified diffs to them, exactly.
 *
 * <p>No fuzz and no offset: each context line stands where the hunk says, or the build stops with
 * the patch, the file and the line. Runs from its source file ({@code java PatchSeries.java}),
 * hence everything in one file and nothing but the JDK.
 *
 * <p>Writes, below the output directory: {@code sources/} everything, patches applied; {@code
 * patched/} the changed files alone; {@code resources/} what goes into the jar beside the classes.
 * Leaves everything as it is when neither the sources nor the series changed.
 */
public final class PatchSeries {
  private static final Pattern HUNK =
      Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+(\\d+)(?:,(\\d+))? @@.*");

  private PatchSeries() {}

  /** A broken series or a foreign sources jar; the message is one sentence for the build's log. */
  static final class SeriesException extends Exception {
    private static final long serialVersionUID = 1;

    SeriesException(String message) {
      super(message);
    }
  }

  /**
   * Lines replaced at one place.
   *
   * @param start index from 0 of the first line replaced, in the file as the patch finds it
   * @param result index from 0 of the same place in the file as the patch leaves it
   * @param before lines that must stand there
   * @param after lines that take their place
   */
  record Hunk(int start, int result, List<String> before, List<String> after) {}

  /**
   * What a patch does to one file.
   *
   * @param path path below the sources' root
   */
  record FileDiff(String path, List<Hunk> hunks) {}

  /** Arguments: sources jar, its SHA-256, directory of the series, output directory. */
  public static void main(String[] args) throws IOException {
    if (args.length != 4) {
      System.err.println("usage: PatchSeries SOURCES_JAR SHA256 PATCHES_DIR OUT_DIR");
      System.exit(2);
    }
    try {
      run(Path.of(args[0]), args[1], Path.of(args[2]), Path.of(args[3]));
    } catch (SeriesException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static void run(Path jar, String sha256, Path patches, Path out)
      throws IOException, SeriesException {
    String found = sha256(Files.readAllBytes(jar));
    if (!found.equals(sha256)) {
      throw new SeriesException(
          jar.getFileName()
              + ": not the sources this series is for: expected sha256="
              + sha256
              + ", found="
              + found);
    }
    List<String> series = series(patches);
    StringBuilder list = new StringBuilder();
    list.append("base ").append(jar.getFileName()).append(' ').append(sha256).append('\n');
    for (String name : series) {
      byte[] patch = Files.readAllBytes(patches.resolve(name));
      list.append("patch ").append(name).append(' ').append(sha256(patch)).append('\n');
    }
    Path stamp = out.resolve("resources/META-INF/packhorse-patches.txt");
    if (Files.exists(stamp) && Files.readString(stamp).contentEquals(list)) {
      return;
    }
    deleteRecursively(out);
    Path sources = out.resolve("sources");
    unpack(jar, sources);
    Set<String> touched = new TreeSet<>();
    for (String name : series) {
      List<String> lines = lines(Files.readString(patches.resolve(name)));
      for (FileDiff diff : parse(name, lines)) {
        Path file = sources.resolve(diff.path());
        if (!Files.exists(file)) {
          throw new SeriesException(name + ": no such file upstream: " + diff.path());
        }
        List<String> result = apply(name, diff, lines(Files.readString(file)));
        Files.writeString(file, String.join("\n", result));
        touched.add(diff.path());
      }
    }
    for (String path : touched) {
      Path target = out.resolve("patched").resolve(path);
      Files.createDirectories(target.getParent());
      Files.copy(sources.resolve(path), target);
    }
    Files.createDirectories(stamp.getParent());
    Files.writeString(stamp, list);
    System.out.println(series.size() + " patches applied to " + touched.size() + " files");
  }

  /** Names in {@code series}, in order; blank lines and lines from {@code #} are left out. */
  static List<String> series(Path patches) throws IOException {
    try (Stream<String> lines = Files.lines(patches.resolve("series"))) {
      return lines.filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    }
  }

  /** Splits so that joining with newlines gives the text back. */
  static List<String> lines(String text) {
    return List.of(text.split("\n", -1));
  }

  /**
   * Reads a patch: free text, then diffs of existing files.
   *
   * @throws SeriesException naming the patch and its line
   */
  static List<FileDiff> parse(String name, List<String> lines) throws SeriesException {
    return new PatchReader(name, lines).read();
  }

  /** A cursor over the lines of one patch. */
  private static final class PatchReader {
    private final String name;
    private final List<String> lines;
    private final int end;
    private int at;

    PatchReader(String name, List<String> lines) {
      this.name = name;
      this.lines = lines;
      this.end = lines.size() - (lines.get(lines.size() - 1).isEmpty() ? 1 : 0);
    }

    List<FileDiff> read() throws SeriesException {
      while (at < end && !lines.get(at).startsWith("--- ")) {
        at++;
      }
      List<FileDiff> diffs = new ArrayList<>();
      while (at < end) {
        String path = path("--- a/");
        if (!path.equals(path("+++ b/"))) {
          throw broken("a patch may not rename a file", at);
        }
        List<Hunk> hunks = new ArrayList<>();
        while (at < end && lines.get(at).startsWith("@@")) {
          hunks.add(hunk());
        }
        if (hunks.isEmpty()) {
          throw broken("no hunk for " + path, at + 1);
        }
        diffs.add(new FileDiff(path, List.copyOf(hunks)));
      }
      if (diffs.isEmpty()) {
        throw broken("no diff in it", end);
      }
      return diffs;
    }

    private String path(String prefix) throws SeriesException {
      if (at >= end || !lines.get(at).startsWith(prefix)) {
        throw broken("expected \"" + prefix + "\" and an existing file", at + 1);
      }
      return lines.get(at++).substring(prefix.length()).strip();
    }

    private Hunk hunk() throws SeriesException {
      int first = at + 1;
      Matcher range = HUNK.matcher(lines.get(at++));
      if (!range.matches()) {
        throw broken("not a hunk's first line", first);
      }
      int beforeCount = count(range.group(2));
      int afterCount = count(range.group(4));
      List<String> before = new ArrayList<>();
      List<String> after = new ArrayList<>();
      while (before.size() < beforeCount || after.size() < afterCount) {
        String line = at < end ? lines.get(at) : "";
        at++;
        switch (line.isEmpty() ? '?' : line.charAt(0)) {
          case ' ' -> {
            before.add(line.substring(1));
            after.add(line.substring(1));
          }
          case '-' -> before.add(line.substring(1));
          case '+' -> after.add(line.substring(1));
          default -> throw broken("a hunk's line must begin with ' ', '-' or '+'", at);
        }
      }
      if (before.size() != beforeCount || after.size() != afterCount) {
        throw broken("hunk is longer than it says", first);
      }
      // A range of no lines is named by the line before it.
      int start = Integer.parseInt(range.group(1)) - (beforeCount == 0 ? 0 : 1);
      int result = Integer.parseInt(range.group(3)) - (afterCount == 0 ? 0 : 1);
      return new Hunk(start, result, List.copyOf(before), List.copyOf(after));
    }

    private static int count(String group) {
      return group == null ? 1 : Integer.parseInt(group);
    }

    private SeriesException broken(String rule, int line) {
      return new SeriesException(name + ": " + rule + ": line=" + line);
    }
  }

  /**
   * The file after the patch.
   *
   * @throws SeriesException naming the line that is not as the patch says, or not where
   */
  static List<String> apply(String name, FileDiff diff, List<String> file) throws SeriesException {
    List<String> out = new ArrayList<>();
    int done = 0;
    for (Hunk hunk : diff.hunks()) {
      if (hunk.start() < done || hunk.start() + hunk.before().size() > file.size()) {
        throw new SeriesException(
            name
                + ": hunk outside of "
                + diff.path()
                + ": line="
                + (hunk.start() + 1)
                + ", lines="
                + file.size());
      }
      out.addAll(file.subList(done, hunk.start()));
      if (out.size() != hunk.result()) {
        throw new SeriesException(
            name
                + ": hunk of "
                + diff.path()
                + " is off its place: expected line="
                + (out.size() + 1)
                + ", found line="
                + (hunk.result() + 1));
      }
      for (int i = 0; i < hunk.before().size(); i++) {
        String expected = hunk.before().get(i);
        String found = file.get(hunk.start() + i);
        if (!expected.equals(found)) {
          throw new SeriesException(
              name
                  + ": "
                  + diff.path()
                  + " line "
                  + (hunk.start() + i + 1)
                  + ": expected \""
                  + expected
                  + "\", found \""
                  + found
                  + "\"");
        }
      }
      out.addAll(hunk.after());
      done = hunk.start() + hunk.before().size();
    }
    out.addAll(file.subList(done, file.size()));
    return out;
  }

  private static void unpack(Path jar, Path sources) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      TreeMap<String, ZipEntry> entries = new TreeMap<>();
      zip.stream().forEach(entry -> entries.put(entry.getName(), entry));
      for (var entry : entries.entrySet()) {
        String name = entry.getKey();
        if (!name.startsWith("net/opentsdb/") || !name.endsWith(".java")) {
          continue;
        }
        Path file = sources.resolve(name).normalize();
        if (!file.startsWith(sources)) {
          throw new IOException("entry leaves the output directory: " + name);
        }
        Files.createDirectories(file.getParent());
        try (InputStream in = zip.getInputStream(entry.getValue())) {
          Files.copy(in, file);
        }
      }
    }
  }

  private static void deleteRecursively(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(root)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
