package io.packhorse.loader.source.csv;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.ColumnOptions;
import io.packhorse.loader.source.table.RoleGuess;
import io.packhorse.loader.source.table.RowFields;
import io.packhorse.loader.source.table.TableGuess;
import io.packhorse.loader.source.table.TableOptions;
import io.packhorse.loader.source.table.TableSample;
import io.packhorse.loader.source.table.TimeGuess;
import io.packhorse.loader.source.text.InputHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Guesses how a table in delimited text is to be read, from its first 5,000 rows. Used once. */
public final class CsvGuess {
  private static final int ROWS_MAX = 5000;
  private static final int DELIMITER_ROWS = 20;
  private static final char QUOTE = '"';
  private static final String DELIMITERS = ",;\t|";
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+[.]?\\d*|[.]\\d+)([eE][-+]?\\d+)?|[-+]?(?i:nan|inf|infinity)");
  private static final Pattern COMMA_NUMBER = Pattern.compile("[-+]?\\d+,\\d+");

  /** What spreadsheets and programs write where there is no value, besides nothing at all. */
  private static final Set<String> MISSING =
      Set.of("NA", "N/A", "n/a", "null", "NULL", "None", "none", "-", "?", "NaT", "#N/A");

  private final InputHead head;
  private final char delimiter;
  private final List<List<String>> rows;
  private final boolean header;
  private final boolean commas;
  private final Set<String> missing = new TreeSet<>(MISSING);

  private CsvGuess(InputHead head, ColumnOptions stated) {
    this.head = head;
    this.delimiter = stated.delimiter().map(each -> each.charAt(0)).orElseGet(this::delimiter);
    this.rows = rows(delimiter, ROWS_MAX);
    this.commas =
        stated
            .decimal()
            .map(","::equals)
            .orElseGet(
                () ->
                    delimiter != ','
                        && rows.stream().flatMap(List::stream).anyMatch(CsvGuess::hasComma));
    this.header =
        stated
            .header()
            .orElseGet(
                () -> rows.size() < 2 || rows.get(0).stream().noneMatch(this::isNumberOrTime));
    this.missing.addAll(stated.missing());
  }

  /**
   * How a table seems to be meant.
   *
   * @throws InputException if that cannot be decided; the message says what to do
   */
  public static TableGuess of(InputHead head, TableOptions options) throws InputException {
    return new CsvGuess(head, options.columns()).guess(options);
  }

  /** Whether an input has no row but a header, so that nothing can be guessed or lost. */
  public static boolean hasNoRows(InputHead head, TableOptions options) {
    CsvGuess guess = new CsvGuess(head, options.columns());
    return head.whole()
        && options.columns().header().orElse(true)
        && guess.rows.size() == 1
        && guess.rows.get(0).stream().noneMatch(guess::isNumberOrTime);
  }

  private TableGuess guess(TableOptions options) throws InputException {
    int width = rows.isEmpty() ? 0 : rows.get(0).size();
    if (width < 2) {
      throw new InputException(
          head.name()
              + " does not begin with a row of two fields or more; state what separates them with"
              + " --delimiter");
    }
    List<String> first = rows.get(0);
    TableSample sample =
        new TableSample(
            head.name(),
            names(),
            header,
            rows.stream()
                .filter(row -> row.size() == width && !(header && row.equals(first)))
                .toList(),
            missing,
            this::isNumber);
    RoleGuess.Text text =
        new RoleGuess.Text(
            String.valueOf(delimiter),
            String.valueOf(QUOTE),
            commas ? "," : ".",
            List.copyOf(missing));
    return RoleGuess.of(sample, text, options);
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(rows.get(0));
    for (int i = 0; i < names.size() && !header; i++) {
      names.set(i, "column" + (i + 1));
    }
    return names;
  }

  private boolean isNumber(String word) {
    return NUMBER.matcher(word).matches() || (commas && COMMA_NUMBER.matcher(word).matches());
  }

  private boolean isNumberOrTime(String word) {
    return NUMBER.matcher(word).matches()
        || hasComma(word)
        || (!word.isEmpty() && !TimeGuess.formats(List.of(word)).isEmpty());
  }

  private static boolean hasComma(String word) {
    return COMMA_NUMBER.matcher(word).matches();
  }

  /** The separator that makes the most fields, and as many in most rows. */
  private char delimiter() {
    char best = ',';
    int most = 1;
    for (int i = 0; i < DELIMITERS.length(); i++) {
      char candidate = DELIMITERS.charAt(i);
      List<List<String>> sample = rows(candidate, DELIMITER_ROWS);
      int width = sample.isEmpty() ? 0 : sample.get(0).size();
      long alike = sample.stream().filter(row -> row.size() == width).count();
      if (2 * alike > sample.size() && width > most) {
        best = candidate;
        most = width;
      }
    }
    return best;
  }

  /** The first rows, as text. */
  private List<List<String>> rows(char separator, int most) {
    RowEnds ends = new RowEnds(separator, QUOTE);
    RowParser parser = new RowParser(separator, QUOTE);
    RowFields fields = parser.row();
    List<List<String>> found = new ArrayList<>();
    int at = head.from();
    while (at < head.length() && found.size() < most) {
      int end = ends.end(head.bytes(), at, head.length(), head.whole());
      if (end < 0) {
        break;
      }
      int rowEnd = end;
      while (rowEnd > at && "\r\n".indexOf(head.bytes()[rowEnd - 1]) >= 0) {
        rowEnd--;
      }
      if (rowEnd > at && parser.read(head.bytes(), at, rowEnd)) {
        List<String> words = new ArrayList<>();
        for (int field = 0; field < fields.count(); field++) {
          words.add(fields.text(field));
        }
        found.add(words);
      }
      at = end;
    }
    return found;
  }
}
