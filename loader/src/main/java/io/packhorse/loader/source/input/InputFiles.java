package io.packhorse.loader.source.input;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * The inputs that words of a command line name: a file, a directory (all files in it and below), a
 * pattern ({@code *}, {@code **}, {@code ?}, {@code [abc]}, {@code {a,b}}), {@code @list} (a file
 * of such words, one a line) or {@code -} for standard input. Files of a directory or pattern come
 * sorted by name, hidden ones left out. Used once.
 */
public final class InputFiles {
  private static final String STANDARD_INPUT = "-";
  private static final String PATTERN_CHARACTERS = "*?[{";
  private static final int LISTS_DEEP_MAX = 8;

  private final Path excluded;
  private final List<Input> inputs = new ArrayList<>();
  private boolean standardInputSeen;

  private InputFiles(Path excluded) {
    this.excluded = excluded;
  }

  /**
   * Finds every input; each file exists and may be read.
   *
   * @param excluded a file that will be written: refused if named, skipped if found in a directory
   * @throws InputException if a word names nothing that can be read
   */
  public static List<Input> named(List<String> words, Path excluded) throws IOException {
    InputFiles files = new InputFiles(excluded);
    for (String word : words) {
      files.addWord(word, 0);
    }
    return files.inputs;
  }

  private void addWord(String word, int deep) throws IOException {
    if (word.isBlank()) {
      throw new InputException("An empty argument names no input; write . for this directory");
    }
    if (word.equals(STANDARD_INPUT)) {
      addStandardInput();
    } else if (word.startsWith("@")) {
      addList(word.substring(1), deep);
    } else {
      Path path = path(word);
      if (!Files.exists(path) && word.chars().anyMatch(c -> PATTERN_CHARACTERS.indexOf(c) >= 0)) {
        addMatches(word);
      } else {
        addFileOrDirectory(word, path);
      }
    }
  }

  private void addStandardInput() throws InputException {
    if (standardInputSeen) {
      throw new InputException("Standard input (-) can be read only once");
    }
    standardInputSeen = true;
    inputs.add(new Input("(standard input)", InputFiles::standardInput));
  }

  /** A channel, because a thread that waits in {@code System.in} cannot be interrupted. */
  private static InputStream standardInput() {
    return Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel());
  }

  private void addList(String name, int deep) throws IOException {
    if (deep == LISTS_DEEP_MAX) {
      throw new InputException("@" + name + " is a list in a list, " + deep + " deep");
    }
    Path list = path(name);
    check(name, list);
    for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
      String word = line.strip();
      if (!word.isEmpty() && !word.startsWith("#")) {
        addWord(word, deep + 1);
      }
    }
  }

  private void addFileOrDirectory(String name, Path path) throws IOException {
    check(name, path);
    if (Files.isDirectory(path)) {
      addAll(name, path, each -> true);
      return;
    }
    if (isExcluded(path)) {
      throw new InputException(
          "--rejects would overwrite the input " + name + ": choose another file");
    }
    inputs.add(Input.ofFile(name, path));
  }

  private void addMatches(String pattern) throws IOException {
    PathMatcher matcher;
    try {
      matcher = FileSystems.getDefault().getPathMatcher("glob:" + path(pattern).normalize());
    } catch (PatternSyntaxException e) {
      throw new InputException("'" + pattern + "' is not a pattern: " + e.getDescription());
    }
    Path start = fixedPart(path(pattern).normalize());
    if (!Files.isDirectory(start)) {
      throw new InputException("There is no directory " + start + " to search for " + pattern);
    }
    addAll(pattern, start, file -> matcher.matches(file.normalize()));
  }

  /** The leading directories of a pattern that have no wildcards. */
  private static Path fixedPart(Path pattern) {
    Path fixed = pattern.isAbsolute() ? pattern.getRoot() : Path.of("");
    for (Path name : pattern) {
      if (name.toString().chars().anyMatch(c -> PATTERN_CHARACTERS.indexOf(c) >= 0)) {
        break;
      }
      fixed = fixed.resolve(name);
    }
    return fixed;
  }

  private void addAll(String word, Path directory, PathMatcher wanted) throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      found =
          all.filter(file -> !isHidden(directory, file) && Files.isRegularFile(file))
              .filter(wanted::matches)
              .filter(file -> !isExcluded(file))
              .sorted()
              .toList();
    } catch (UncheckedIOException e) {
      throw new InputException(word + " cannot be searched", Objects.requireNonNull(e.getCause()));
    }
    if (found.isEmpty()) {
      throw new InputException("No file matches " + word);
    }
    for (Path file : found) {
      check(file.toString(), file);
      inputs.add(Input.ofFile(file.toString(), file));
    }
  }

  private static boolean isHidden(Path start, Path file) {
    for (Path name : start.relativize(file)) {
      if (name.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  private boolean isExcluded(Path file) {
    try {
      return Files.exists(excluded) && Files.isSameFile(file, excluded);
    } catch (IOException e) {
      return false;
    }
  }

  private static void check(String name, Path path) throws InputException {
    if (!Files.exists(path)) {
      throw new InputException("There is no file " + name);
    }
    if (!Files.isReadable(path)) {
      throw new InputException("No permission to read " + name);
    }
  }

  private static Path path(String name) throws InputException {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new InputException("'" + name + "' is not a file name: " + e.getReason());
    }
  }
}
