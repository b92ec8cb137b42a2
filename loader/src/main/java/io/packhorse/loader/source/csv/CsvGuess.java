package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.table.ColumnType;
import io.packhorse.loader.source.table.RoleGuess;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.table.TableSample;
import io.packhorse.loader.source.table.TimeGuess;
import io.packhorse.loader.source.text.InputHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Guesses how a table in delimited text is to be read, from its first 5,000 rows. Used once. */
public final class CsvGuess {
  private static final int ROWS_MAX = 5000;
  private static final int DELIMITER_ROWS = 20;
  private static final char QUOTE = '"';
  private static final String DELIMITERS = ",;\t|";

  /** What spreadsheets and programs write where there is no value, besides nothing at all. */
  private static final Set<String> MISSING =
      Set.of(
          "NA", "N/A", "n/a", "null", "NULL", "None", "none", "-", "?", "NaT", "#N/A", "NaN", "nan",
          "NAN", "\\N");

  private final InputHead head;
  private final ColumnOptions stated;
  private final RowSyntax syntax;
  private final List<List<String>> rows;

  /** Index of the first byte of each row. */
  private final List<Integer> starts = new ArrayList<>();

  private final boolean header;
  private final NumberStyle numbers;
  private final Set<String> missing = new TreeSet<>(MISSING);

  private CsvGuess(InputHead head, ColumnOptions stated) {
    this.head = head;
    this.stated = stated;
    this.syntax =
        syntax(
            !stated.widths().isEmpty()
                ? ' '
                : stated.delimiter().map(each -> each.charAt(0)).orElseGet(this::delimiter));
    this.rows = rows(syntax, ROWS_MAX, starts);
    this.header =
        stated
            .header()
            .orElseGet(
                () ->
                    stated.names().isEmpty()
                        && (rows.size() < 2
                            || rows.get(0).stream().noneMatch(CsvGuess::isNumberOrTime)));
    this.missing.addAll(stated.missing());
    this.numbers =
        NumberStyle.of(
            header ? rows.subList(1, rows.size()) : rows,
            rows.isEmpty() ? List.of() : names(),
            missing,
            stated.decimal());
  }

  private RowSyntax syntax(char delimiter) {
    return new RowSyntax(
        delimiter,
        QUOTE,
        stated.widths(),
        stated.skipLines(),
        RowSyntax.bytes(stated.comment().orElse(null)));
  }

  /**
   * How a table seems to be meant.
   *
   * @param earlier names of the columns of the table before it, of which it may be a part
   * @return empty if it has no row but a header, so that nothing can be guessed or lost
   * @throws InputException if that cannot be decided; the message says what to do
   */
  public static Optional<TableGuess> of(InputHead head, TableOptions options, List<String> earlier)
      throws InputException {
    TableOptions read = options.withColumns(SeparatorLine.read(head, options.columns()));
    CsvGuess guess = new CsvGuess(head, read.columns());
    return guess.hasNoRows() ? Optional.empty() : Optional.of(guess.guess(read, earlier));
  }

  private boolean hasNoRows() {
    return head.whole()
        && stated.header().orElse(true)
        && rows.size() == 1
        && (stated.names().isEmpty()
            ? rows.get(0).stream().noneMatch(CsvGuess::isNumberOrTime)
            : rows.get(0).equals(stated.names()));
  }

  private TableGuess guess(TableOptions options, List<String> earlier) throws InputException {
    int width = width();
    List<String> first = rows.get(0);
    List<String> names = names();
    TableSample sample =
        new TableSample(
            head.name(),
            names,
            header || !stated.names().isEmpty(),
            Collections.nCopies(names.size(), ColumnType.ANY),
            Collections.nCopies(names.size(), "text"),
            rows.stream()
                .filter(row -> row.size() == width && !(header && row.equals(first)))
                .filter(row -> !row.equals(names))
                .toList(),
            missing,
            numbers::isNumber);
    RoleGuess.Text text =
        new RoleGuess.Text(
            String.valueOf(syntax.delimiter()),
            String.valueOf(QUOTE),
            header,
            numbers.decimal(),
            numbers.thousands(),
            List.copyOf(missing));
    return RoleGuess.of(
        sample, text, options, namelessness(earlier).or(this::secondHeader).or(numbers::doubt));
  }

  /** Number of columns. */
  private int width() throws InputException {
    int width = rows.isEmpty() ? 0 : rows.get(0).size();
    if (width < 2) {
      throw new InputException(
          head.name()
              + " does not begin with a row of two fields or more; state what separates them with"
              + " --delimiter or --widths, or how many lines stand before the header with"
              + " --skip-lines");
    }
    if (!stated.names().isEmpty() && stated.names().size() != width) {
      throw new InputException(
          head.name()
              + " has "
              + width
              + " columns, but --columns names "
              + stated.names().size()
              + ": "
              + stated.names());
    }
    long others = rows.stream().filter(row -> row.size() != width && !isEmpty(row)).count();
    if (2 * others >= rows.size()) {
      throw new InputException(
          head.name()
              + ": its first row has "
              + width
              + " fields, "
              + rows.get(0)
              + ", but most rows after it have more or fewer; state how many lines stand before"
              + " the header with --skip-lines, what separates the fields with --delimiter or"
              + " --widths, or the names of the columns with --columns");
    }
    return width;
  }

  private static boolean isEmpty(List<String> row) {
    return !row.isEmpty() && row.stream().allMatch(String::isEmpty);
  }

  /** The doubt about columns that nobody has named. */
  private Optional<String> namelessness(List<String> earlier) {
    if (header || stated.header().isPresent() || !stated.names().isEmpty()) {
      return Optional.empty();
    }
    String part =
        earlier.size() == rows.get(0).size()
            ? "; if it is a part of the table before it, --columns "
                + String.join(",", earlier)
                + " reads all parts"
            : "";
    return Optional.of(
        "its columns have no names, because it begins without a header: "
            + rows.get(0)
            + "; --columns NAME,NAME,... names them, and --no-header loads them as column1,"
            + " column2 and so on"
            + part);
  }

  /**
   * The doubt about a header with a line after it that has no number and no time either: the first
   * may be a title, or the second say units.
   */
  private Optional<String> secondHeader() {
    if (!header || stated.header().isPresent() || rows.size() < 3) {
      return Optional.empty();
    }
    List<String> second = rows.get(1);
    boolean data =
        second.equals(rows.get(0))
            || second.stream()
                .anyMatch(word -> word.isEmpty() || missing.contains(word) || isNumberOrTime(word));
    return data
        ? Optional.empty()
        : Optional.of(
            "its header would be "
                + rows.get(0)
                + ", but the line after it, "
                + second
                + ", has no number and no time either; --skip-lines "
                + linesBefore(1)
                + " makes that the header, and --columns NAME,NAME,... with --skip-lines "
                + linesBefore(2)
                + " states the names and leaves both out");
  }

  /** Lines before a row. */
  private int linesBefore(int row) {
    int lines = 0;
    for (int at = 0; at < starts.get(row); at++) {
      lines += head.bytes()[at] == '\n' ? 1 : 0;
    }
    return lines;
  }

  private List<String> names() {
    if (!stated.names().isEmpty()) {
      return stated.names();
    }
    List<String> names = new ArrayList<>(rows.get(0));
    for (int i = 0; i < names.size() && !header; i++) {
      names.set(i, "column" + (i + 1));
    }
    return names;
  }

  private static boolean isNumberOrTime(String word) {
    return NumberStyle.isAnyNumber(word)
        || word.equalsIgnoreCase("nan")
        || (!word.isEmpty() && !TimeGuess.formats(List.of(word)).isEmpty());
  }

  /** The separator that makes the most fields, and as many in most rows. */
  private char delimiter() {
    Optional<Character> named = namedDelimiter();
    if (named.isPresent()) {
      return named.get();
    }
    char best = ',';
    int most = 1;
    for (int i = 0; i < DELIMITERS.length(); i++) {
      char candidate = DELIMITERS.charAt(i);
      List<List<String>> sample = rows(syntax(candidate), DELIMITER_ROWS, new ArrayList<>());
      int width = sample.isEmpty() ? 0 : sample.get(0).size();
      long alike = sample.stream().filter(row -> row.size() == width).count();
      if (2 * alike > sample.size() && width > most) {
        best = candidate;
        most = width;
      }
    }
    return most > 1 || !areAlike(rows(syntax(' '), DELIMITER_ROWS, new ArrayList<>())) ? best : ' ';
  }

  /** The separator that makes as many fields as are named, most of them numbers or times. */
  private Optional<Character> namedDelimiter() {
    Optional<Character> best = Optional.empty();
    long most = 0;
    for (char candidate : (DELIMITERS + " ").toCharArray()) {
      List<List<String>> sample = rows(syntax(candidate), DELIMITER_ROWS, new ArrayList<>());
      List<List<String>> fitting =
          sample.stream().filter(row -> row.size() == stated.names().size()).toList();
      long read = fitting.stream().flatMap(List::stream).filter(CsvGuess::isNumberOrTime).count();
      if (2 * fitting.size() > sample.size() && read > most) {
        best = Optional.of(candidate);
        most = read;
      }
    }
    return best;
  }

  /** Whether rows have as many fields as the first, and two or more. */
  private static boolean areAlike(List<List<String>> sample) {
    int width = sample.isEmpty() ? 0 : sample.get(0).size();
    return width > 1 && sample.stream().allMatch(row -> row.size() == width);
  }

  /**
   * The first rows, as text; one that cannot be divided into fields has none.
   *
   * @param starts gets the index of the first byte of each
   */
  private List<List<String>> rows(RowSyntax how, int most, List<Integer> starts) {
    RowEnds ends = new RowEnds(how);
    RowParser parser = new RowParser(how);
    RowFields fields = parser.row();
    List<List<String>> found = new ArrayList<>();
    int at = how.firstRow(head, true);
    while (at < head.length() && found.size() < most) {
      int end = ends.end(head.bytes(), at, head.length(), head.whole());
      if (end < 0) {
        break;
      }
      int rowEnd = end;
      while (rowEnd > at && "\r\n".indexOf(head.bytes()[rowEnd - 1]) >= 0) {
        rowEnd--;
      }
      if (rowEnd > at && !how.isComment(head.bytes(), at, rowEnd)) {
        List<String> words = new ArrayList<>();
        boolean parsed = parser.read(head.bytes(), at, rowEnd);
        for (int field = 0; parsed && field < fields.count(); field++) {
          words.add(fields.text(field));
        }
        found.add(words);
        starts.add(at);
      }
      at = end;
    }
    return found;
  }
}
