package io.packhorse.loader.source.format;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.ColumnNames;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tags that the absolute path of a file gives its series: folders named {@code key=value}, the
 * named groups of {@code --path-pattern}, and <code>{file}</code> and <code>{dir}</code> in {@code
 * --add-tag}. A tag that a record has itself counts more than these.
 *
 * @param tags as they are stored
 * @param notTags folders such as {@code year=2024}, whose key and value are a part of the time that
 *     the records have themselves
 */
public record PathTags(Map<String, String> tags, List<String> notTags) {
  private static final Pattern FOLDER = Pattern.compile("([A-Za-z_][\\w.-]*)=(.+)");
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([A-Za-z][A-Za-z0-9]*)>");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");

  /** What tools that write partitioned tables put where there is no value. */
  private static final String NO_VALUE = "__HIVE_DEFAULT_PARTITION__";

  private static final Set<String> TIME_KEYS =
      Set.of(
          "year", "yr", "yyyy", "month", "mm", "day", "dd", "hour", "hr", "hh", "minute", "min",
          "week", "date", "dt", "ds");

  /** Looks at characters that the search for a pattern may take: a bad pattern must end. */
  private static final int LOOKS_MAX = 1 << 20;

  public PathTags {
    tags = Map.copyOf(tags);
    notTags = List.copyOf(notTags);
  }

  /**
   * What the path of an input says.
   *
   * @param name of the input, for messages
   * @param file empty for a pipe
   * @throws InputException if a pattern does not fit, an input without a path needs one, or a name
   *     cannot be stored
   */
  public static PathTags of(SourceSpec spec, String name, Optional<Path> file)
      throws InputException {
    SeriesRules rules = spec.rules();
    List<String> notTags = new ArrayList<>();
    Map<String, String> found = new LinkedHashMap<>();
    if (file.isPresent()) {
      Path path = file.get().toAbsolutePath().normalize();
      folders(path, found, notTags);
      for (String pattern : spec.pathPatterns()) {
        groups(pattern, path, name, found);
      }
    } else if (!spec.pathPatterns().isEmpty()) {
      throw new InputException(name + " has no path: --path-pattern needs files");
    }
    Map<String, String> tags = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : found.entrySet()) {
      if (!rules.droppedTags().contains(each.getKey())) {
        String key = rules.renamedTags().getOrDefault(each.getKey(), each.getKey());
        String from = "the path of " + name + " gives the tag " + key + "=" + each.getValue();
        tags.put(
            stored(key, rules, from, each.getKey()),
            stored(each.getValue(), rules, from, each.getKey()));
      }
    }
    for (Map.Entry<String, String> each : rules.addedTags().entrySet()) {
      String value = expanded(each.getValue(), name, file);
      String from = "--add-tag " + each.getKey() + "=" + value;
      tags.put(stored(each.getKey(), rules, from, ""), stored(value, rules, from, ""));
    }
    return new PathTags(tags, notTags);
  }

  /** The rules for the series of an input: those of the user, with what its path says. */
  static SeriesRules rules(SourceSpec spec, String name, Optional<Path> file)
      throws InputException {
    SeriesRules rules = spec.rules();
    String prefix = expanded(rules.metricPrefix(), name, file);
    return rules.with(of(spec, name, file).tags(), prefix);
  }

  /**
   * Checks a pattern.
   *
   * @throws IllegalArgumentException if it is not a regular expression with named groups
   */
  public static void checkPattern(String pattern) {
    if (groupNames(pattern).isEmpty()) {
      throw new IllegalArgumentException(
          "--path-pattern needs a named group, such as (?<site>[^/]+): " + pattern);
    }
    Pattern.compile(pattern);
  }

  /**
   * Checks a text with placeholders.
   *
   * @throws IllegalArgumentException if it has others than those there are
   */
  public static void checkPlaceholders(String text) {
    Matcher places = PLACEHOLDER.matcher(text);
    while (places.find()) {
      if (!Set.of("file", "dir").contains(places.group(1))) {
        throw new IllegalArgumentException(
            "'"
                + places.group()
                + "' is unknown: {file} is a file's name without its ending, {dir} its folder's"
                + " name");
      }
    }
  }

  /** The folders of a path that are named as partitions of a table are. */
  private static void folders(Path path, Map<String, String> found, List<String> notTags) {
    for (int i = 0; i < path.getNameCount() - 1; i++) {
      Matcher folder = FOLDER.matcher(path.getName(i).toString());
      if (folder.matches()) {
        String key = folder.group(1);
        String value = unescaped(folder.group(2));
        if (isPartOfTime(key, value)) {
          notTags.add(folder.group());
        } else if (!value.equals(NO_VALUE)) {
          found.put(key, value);
        }
      }
    }
  }

  private static boolean isPartOfTime(String key, String value) {
    String lower = key.toLowerCase(Locale.ROOT);
    return (TIME_KEYS.contains(lower) || ColumnNames.namesTimes(key))
        && value.matches("\\d[-\\d:. T]*");
  }

  /** Such folders have the characters of addresses. */
  private static String unescaped(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  private static void groups(String pattern, Path path, String name, Map<String, String> found)
      throws InputException {
    // The end of the path, from the beginning of a name.
    Matcher matcher =
        Pattern.compile("(?:^|.*/)(?:" + pattern + ")", Pattern.DOTALL)
            .matcher(new Bounded(path.toString().replace('\\', '/'), new int[] {LOOKS_MAX}));
    boolean fits;
    try {
      fits = matcher.matches();
    } catch (TooManyLooksException | StackOverflowError e) {
      throw new InputException(
          "--path-pattern " + pattern + " takes too long on " + name + ": make it simpler");
    }
    if (!fits) {
      throw new InputException(
          "--path-pattern "
              + pattern
              + " does not fit the end of "
              + path
              + "; leave such files out with --exclude, or change the pattern");
    }
    for (String group : groupNames(pattern)) {
      String value = matcher.group(group);
      if (value != null && !value.isEmpty()) {
        found.put(group, value);
      }
    }
  }

  private static List<String> groupNames(String pattern) {
    return GROUP.matcher(pattern).results().map(each -> each.group(1)).toList();
  }

  private static String expanded(String text, String name, Optional<Path> file)
      throws InputException {
    if (!PLACEHOLDER.matcher(text).find()) {
      return text;
    }
    if (file.isEmpty()) {
      throw new InputException(name + " has no path: " + text + " needs files");
    }
    Path path = file.get().toAbsolutePath().normalize();
    Path folder = path.getParent() == null ? null : path.getParent().getFileName();
    return text.replace("{file}", withoutEnding(path.getFileName().toString()))
        .replace("{dir}", folder == null ? "" : folder.toString());
  }

  /** Without .gz or .zst, and without the last dot and what follows it, unless that is a number. */
  private static String withoutEnding(String file) {
    return file.replaceFirst("(?i)(?<=.)[.](gz|zst|zstd)$", "")
        .replaceFirst("(?<=.)[.](?!\\d+$)[^.]*$", "");
  }

  private static String stored(String name, SeriesRules rules, String from, String key)
      throws InputException {
    if (name.isEmpty()) {
      throw new InputException(from + ", but a tag cannot be empty");
    }
    Optional<String> problem = SeriesReader.problem(name);
    if (problem.isPresent() && !rules.replacesCharacters()) {
      throw new InputException(
          from
              + ", but "
              + problem.get()
              + (key.isEmpty() ? "" : "; --drop-tag " + key + " leaves the tag out"));
    }
    return SeriesReader.replaced(name);
  }

  private static final class TooManyLooksException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A text that ends a search which goes back and forth for too long. */
  private record Bounded(String text, int[] looksLeft) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (looksLeft[0]-- == 0) {
        throw new TooManyLooksException();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
