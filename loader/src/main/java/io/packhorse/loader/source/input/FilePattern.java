package io.packhorse.loader.source.input;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.regex.PatternSyntaxException;

/** Patterns of file names: {@code *}, {@code **}, {@code ?}, {@code [abc]}, {@code {a,b}}. */
final class FilePattern {
  private static final String CHARACTERS = "*?[{";

  private FilePattern() {}

  /** Whether a word has characters of a pattern. */
  static boolean isIn(String word) {
    return word.chars().anyMatch(c -> CHARACTERS.indexOf(c) >= 0);
  }

  /**
   * Matches paths as they are written.
   *
   * @throws InputException if it is not a pattern
   */
  static PathMatcher of(String pattern) throws InputException {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (PatternSyntaxException e) {
      throw new InputException("'" + pattern + "' is not a pattern: " + e.getDescription());
    }
  }

  /**
   * Matches the directories in which a pattern can match files, so that no others are searched; all
   * of them where that is not plain to see.
   */
  static PathMatcher directories(Path pattern) throws InputException {
    String text = pattern.toString();
    if (text.contains("**") || text.contains("{")) {
      return any -> true;
    }
    PathMatcher[] byDepth = new PathMatcher[pattern.getNameCount()];
    for (int depth = 1; depth < byDepth.length; depth++) {
      byDepth[depth] = of(pattern.getName(depth - 1).toString());
    }
    return directory -> {
      Path normal = directory.normalize();
      int depth = normal.getNameCount();
      return depth < byDepth.length && byDepth[depth].matches(normal.getFileName());
    };
  }

  /**
   * Matches files that a pattern excludes: the pattern fits some consecutive names of the path,
   * which may be a file's name, a directory's, or several of them.
   */
  static PathMatcher excluding(String pattern) throws InputException {
    PathMatcher matcher = of(pattern.endsWith("/") ? pattern.replaceFirst("/+$", "") : pattern);
    return file -> {
      Path path = file.normalize();
      if (matcher.matches(path)) {
        return true;
      }
      int names = path.getNameCount();
      for (int from = 0; from < names; from++) {
        for (int to = from + 1; to <= names; to++) {
          if (matcher.matches(path.subpath(from, to))) {
            return true;
          }
        }
      }
      return false;
    };
  }
}
