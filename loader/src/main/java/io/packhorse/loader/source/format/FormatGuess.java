package io.packhorse.loader.source.format;

import io.packhorse.loader.source.csv.AnnotatedCsv;
import io.packhorse.loader.source.csv.SeparatorLine;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.json.QueryAnswers;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.text.InputHead;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Detects a format by the beginning of an input. */
final class FormatGuess {
  private static final int LINES = 50;
  private static final int SHOWN_MAX = 80;
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d[\\d.]*([eE][-+]?\\d+)?");
  private static final Pattern VALUE =
      Pattern.compile("[-+]?(\\d[\\d.]*([eE][-+]?\\d+)?|NaN|[Ii]nf(inity)?)");

  /**
   * A word of name or escaped characters, then fields up to the first of their values. Possessive,
   * so that the matcher goes forward in a loop: a long line is not too deep for the stack.
   */
  private static final Pattern LINE_PROTOCOL =
      Pattern.compile("(?:[^\\\\ ]|\\\\.)++ ++(?:[^\\\\ =,]|\\\\.)++=(?:\".*|[^ ,]+.*)");

  private static final Pattern SAMPLE =
      Pattern.compile("[a-zA-Z_:][\\w:.]* *\\{.*\\} *" + VALUE.pattern() + "( .*)?");

  /** Labels without a metric before them, unlike an object, have an equals sign or a bare name. */
  private static final Pattern PROMTOOL =
      Pattern.compile("\\{ *(?:[a-zA-Z_]\\w*+ *=|\"(?:[^\"\\\\]|\\\\.)*+\" *[=,}]).*");

  private FormatGuess() {}

  /**
   * The format of an input; import lines if it has no line with content.
   *
   * @throws InputException if no format fits
   */
  static Format of(InputHead head) throws InputException {
    List<String> lines =
        head.lines().stream().limit(LINES).filter(line -> !line.isBlank()).toList();
    String first = lines.isEmpty() ? "" : lines.get(0).strip();
    if (ParquetFile.startsLike(
        Arrays.copyOfRange(head.bytes(), head.from(), head.from() + ParquetFile.MAGIC_BYTES))) {
      return Format.PARQUET;
    }
    if (PROMTOOL.matcher(first).matches()) {
      return Format.OPENMETRICS;
    }
    if (first.startsWith("{") || first.startsWith("[")) {
      // An answer may be all in one line, of which the head has a part only.
      return QueryAnswers.startsLike(head.text()) ? Format.QUERY_JSON : Format.JSONL;
    }
    if (SeparatorLine.of(head).isPresent()) {
      return Format.CSV;
    }
    if (AnnotatedCsv.startsLike(lines)) {
      return Format.ANNOTATED_CSV;
    }
    boolean described = lines.stream().anyMatch(line -> line.matches("# (TYPE|HELP|UNIT) \\S+ .*"));
    List<String> records =
        lines.stream().map(String::strip).filter(line -> !line.startsWith("#")).toList();
    if (described) {
      return Format.OPENMETRICS;
    }
    if (records.isEmpty()) {
      return Format.OPENTSDB;
    }
    if (isHeader(records)) {
      return Format.CSV;
    }
    return records.stream()
        .map(FormatGuess::ofRecord)
        .flatMap(Optional::stream)
        .findFirst()
        .or(() -> ofTable(records))
        .orElseThrow(
            () ->
                new NotDataException(
                    head.name()
                        + " does not begin like any supported format. Its first line is '"
                        + shown(first)
                        + "'. If it is a table, --skip-lines N says how many lines stand before"
                        + " the header, and --delimiter or --widths what divides its fields;"
                        + " otherwise state its format, --format "
                        + Arrays.stream(Format.values())
                            .map(Format::toString)
                            .collect(Collectors.joining("|"))));
  }

  /** A line for messages: its beginning, without what a terminal would not print. */
  private static String shown(String line) {
    String printed = line.replaceAll("[\\p{Cntrl}\ufffd]", "?");
    return printed.length() > SHOWN_MAX ? printed.substring(0, SHOWN_MAX) + "..." : printed;
  }

  /**
   * Whether the first line only looks like line protocol, as a header with names such as {@code cpu
   * {host="a"}} does: the next has no field.
   */
  private static boolean isHeader(List<String> records) {
    return records.size() > 1
        && records.get(1).indexOf('=') < 0
        && ofRecord(records.get(0)).equals(Optional.of(Format.LINE))
        && ofTable(records).isPresent();
  }

  private static Optional<Format> ofRecord(String record) {
    String[] words = (record.startsWith("put ") ? record.substring(4) : record).split("[ \t]+", -1);
    if (words.length > 3
        && NUMBER.matcher(words[1]).matches()
        && VALUE.matcher(words[2]).matches()
        && words[3].indexOf('=') > 0) {
      return Optional.of(Format.OPENTSDB);
    }
    if (SAMPLE.matcher(record).matches()) {
      return Optional.of(Format.OPENMETRICS);
    }
    return LINE_PROTOCOL.matcher(record).matches() ? Optional.of(Format.LINE) : Optional.empty();
  }

  /** A table has the same separator in its first lines. */
  private static Optional<Format> ofTable(List<String> records) {
    boolean table =
        ",;\t|"
            .chars()
            .anyMatch(
                separator ->
                    records.stream().limit(2).allMatch(line -> line.indexOf(separator) >= 0));
    return table || isSeparatedByBlanks(records) ? Optional.of(Format.CSV) : Optional.empty();
  }

  /** Lines of as many words each, and a number in each but perhaps the first: not a text. */
  private static boolean isSeparatedByBlanks(List<String> records) {
    int words = records.get(0).split("[ \t]+", -1).length;
    return records.size() > 1
        && words > 1
        && records.stream()
            .skip(1)
            .map(record -> record.split("[ \t]+", -1))
            .allMatch(
                each ->
                    each.length == words
                        && Arrays.stream(each).anyMatch(word -> NUMBER.matcher(word).matches()));
  }
}
