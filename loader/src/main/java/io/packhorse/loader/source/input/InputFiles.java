package io.packhorse.loader.source.input;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The inputs that words of a command line name: a file, a directory (all files in it and below), a
 * pattern ({@code *}, {@code **}, {@code ?}, {@code [abc]}, {@code {a,b}}), {@code @list} (a file
 * of such words, one a line) or {@code -} for standard input. Files of a directory or pattern come
 * sorted by name, hidden ones left out. Used once.
 */
public final class InputFiles {
  private static final String STANDARD_INPUT = "-";
  private static final int LISTS_DEEP_MAX = 8;

  private final Path written;

  /** What {@code --exclude} says, with the number of files that each excluded. */
  private final Map<String, PathMatcher> exclusions = new LinkedHashMap<>();

  private final Map<String, Integer> excluded = new LinkedHashMap<>();
  private final List<Input> inputs = new ArrayList<>();
  private final Set<Input> searched = new HashSet<>();
  private final List<String> notes = new ArrayList<>();
  private boolean standardInputSeen;

  private InputFiles(Path written, List<String> exclude) throws InputException {
    this.written = written;
    for (String pattern : exclude) {
      exclusions.put(pattern, FilePattern.excluding(pattern));
      excluded.put(pattern, 0);
    }
  }

  /**
   * What the words name.
   *
   * @param inputs in the order they are read
   * @param searched those of a directory or a pattern, which no word names by itself
   * @param notes what was left out and why, each a sentence for people
   */
  public record Selection(List<Input> inputs, Set<Input> searched, List<String> notes) {
    public Selection {
      inputs = List.copyOf(inputs);
      searched = Set.copyOf(searched);
      notes = List.copyOf(notes);
    }
  }

  /**
   * Finds every input; each file exists and may be read.
   *
   * @param written a file that will be written: refused if named, skipped if found in a directory
   * @param exclude patterns of files to leave out; each fits a file's name, a directory's, or
   *     several names of a path
   * @throws InputException if a word names nothing that can be read, or nothing is left
   */
  public static Selection select(List<String> words, Path written, List<String> exclude)
      throws IOException {
    InputFiles files = new InputFiles(written, exclude);
    for (String word : words) {
      files.addWord(word, 0);
    }
    files.noteExclusions();
    return new Selection(files.inputs, files.searched, files.notes);
  }

  private void noteExclusions() throws InputException {
    for (Map.Entry<String, Integer> each : excluded.entrySet()) {
      int count = each.getValue();
      notes.add(
          count == 0
              ? "--exclude " + each.getKey() + " fits no file"
              : count + (count == 1 ? " file" : " files") + " by --exclude " + each.getKey());
    }
    if (inputs.isEmpty()) {
      throw new InputException("Nothing is left to load: " + String.join("; ", notes));
    }
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
      if (!Files.exists(path) && FilePattern.isIn(word)) {
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
      addAll(name, new FileSearch(path, each -> true, each -> true));
      return;
    }
    if (isWritten(path)) {
      throw new InputException(
          "--rejects would overwrite the input " + name + ": choose another file");
    }
    if (!isExcluded(path)) {
      inputs.add(Input.ofFile(name, path));
    }
  }

  private void addMatches(String word) throws IOException {
    Path pattern = path(word).normalize();
    PathMatcher matcher = FilePattern.of(pattern.toString());
    Path start = fixedPart(pattern);
    if (!Files.isDirectory(start)) {
      throw new InputException("There is no directory " + start + " to search for " + word);
    }
    addAll(
        word,
        new FileSearch(
            start, FilePattern.directories(pattern), file -> matcher.matches(file.normalize())));
  }

  /** The leading directories of a pattern that have no wildcards. */
  private static Path fixedPart(Path pattern) {
    Path fixed = pattern.isAbsolute() ? pattern.getRoot() : Path.of("");
    for (Path name : pattern) {
      if (FilePattern.isIn(name.toString())) {
        break;
      }
      fixed = fixed.resolve(name);
    }
    return fixed;
  }

  private void addAll(String word, FileSearch search) throws IOException {
    List<Path> found;
    try {
      found = search.run();
    } catch (IOException e) {
      throw new InputException(word + " cannot be searched", e);
    }
    search
        .loops()
        .forEach(
            link -> notes.add(link + " is a link to a directory above it, and was not followed"));
    found.removeIf(this::isWritten);
    if (found.isEmpty()) {
      throw new InputException("No file matches " + word);
    }
    for (Path file : found) {
      if (!isExcluded(file)) {
        check(file.toString(), file);
        Input input = Input.ofFile(file.toString(), file);
        inputs.add(input);
        searched.add(input);
      }
    }
  }

  private boolean isExcluded(Path file) {
    for (Map.Entry<String, PathMatcher> exclusion : exclusions.entrySet()) {
      if (exclusion.getValue().matches(file)) {
        excluded.merge(exclusion.getKey(), 1, Integer::sum);
        return true;
      }
    }
    return false;
  }

  private boolean isWritten(Path file) {
    try {
      return Files.exists(written) && Files.isSameFile(file, written);
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
