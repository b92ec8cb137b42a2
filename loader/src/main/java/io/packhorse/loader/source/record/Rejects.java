package io.packhorse.loader.source.record;

import io.packhorse.loader.source.input.InputException;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Rejected lines and fields: counted by reason and written to a file, one a line, with the columns
 * input, line number, byte offset, reason and text, separated by tabs.
 *
 * <p>The text is cut to {@link #TEXT_BYTES_MAX} bytes; backslashes, control characters and bytes
 * outside ASCII are escaped. The file is created at the first reject and replaces an older one. One
 * thread adds; {@link #total} may be called by any thread, the rest once the load has ended.
 */
public final class Rejects implements Closeable {
  /** Longest record that is read, its line end not counted; a longer one is a reject. */
  public static final int RECORD_BYTES_MAX = 1 << 16;

  /** Bytes kept of a rejected line. */
  static final int TEXT_BYTES_MAX = 1024;

  /** Most of {@link #first}. */
  public static final int FIRST_MAX = 5;

  private static final int FIRST_TEXT_MAX = 160;

  /** Why a line or a field was rejected. */
  public enum Reason {
    INPUT_DAMAGED("the input is damaged: everything from here on is lost"),
    LINE_TOO_LONG("line has more than " + Rejects.RECORD_BYTES_MAX + " bytes"),
    TOO_FEW_WORDS("line is not: metric timestamp value tag=value"),
    NOT_TWO_WORDS("line is not: timestamp value"),
    LINE_PROTOCOL_MALFORMED("line is not: measurement,tag=value field=value timestamp"),
    SAMPLE_MALFORMED("line is not: metric{label=\"value\"} value timestamp"),
    ROW_MALFORMED(
        "row cannot be parsed: a quote is not closed, or is followed by more than a separator"),
    ROW_LENGTH("row has more or fewer fields than the header"),
    COLUMN_NOT_EMPTY(
        "a column that was empty at the beginning of the input has a value; state what it is with"
            + " --tag, --value or --ignore"),
    TAG_NUMBER(
        "a tag column that held only text at the beginning of the input has a number; state what it"
            + " is with --tag, --value or --ignore"),
    JSON_MALFORMED("not a JSON object with metric, timestamp, value and tags"),
    QUERY_MALFORMED(
        "not an answer of /api/query: an object that cannot be read is lost from here to the next"
            + " one"),
    QUERY_ORDER("dps stands before metric and tags: in OpenTSDB's answers it comes last"),
    QUERY_AGGREGATED(
        "aggregate of several series, as aggregateTags says: query them one by one, with the"
            + " aggregator none"),
    TABLE_WITHOUT_POINTS(
        "row of a table without _time, or without a column of values: no point, perhaps an error"
            + " that InfluxDB answered"),
    TIMESTAMP_MISSING("no timestamp; --timestamp states one for all that have none"),
    TIMESTAMP_MALFORMED("timestamp cannot be read"),
    TIMESTAMP_OUT_OF_RANGE("timestamp is not in 1970 to 2106"),
    TIMESTAMP_IN_THE_FUTURE(
        "timestamp is in the future: the clock of the client or of the receiver is wrong"),
    TIMESTAMP_OTHER_UNIT(
        "timestamp would be before 1973 in the unit of the input's first timestamps; state the unit"
            + " with --timestamp-unit"),
    AMBIGUOUS_LOCAL_TIME(
        "ambiguous local time: clocks were put back and show it twice; choose with --dst"),
    NONEXISTENT_LOCAL_TIME(
        "nonexistent local time: clocks were put forward over it; choose with --dst"),
    VALUE_MALFORMED("value is not a number"),
    VALUE_NOT_FINITE("value is NaN, infinite or too large for a double"),
    HISTOGRAM("native histogram; OpenTSDB stores numbers only"),
    VALUE_TEXT("value is text, true or false; OpenTSDB stores numbers only"),
    INTEGER_TOO_LARGE("integer does not fit 64 bits"),
    NO_TAG("no tag, but OpenTSDB needs at least one: add one with --add-tag KEY=VALUE"),
    TAG_MALFORMED("tag is not key=value"),
    TAG_TWICE("tag key occurs twice with different values"),
    TOO_MANY_TAGS("more tags than --max-tags allows"),
    NAME_EMPTY("name is empty"),
    NAME_CHARACTER(
        "name has a character other than letters, digits and - _ . / (--replace-characters stores"
            + " underscores instead)"),
    NAME_NOT_LATIN_1("name has a letter outside ISO-8859-1, the charset of OpenTSDB's names"),
    NAME_TOO_LONG("name is too long for a row key"),
    NOT_UTF_8("name is not in UTF-8; iconv -f WINDOWS-1252 -t UTF-8 FILE changes most such files");

    private final String sentence;

    Reason(String sentence) {
      this.sentence = sentence;
    }

    /** For people; without tabs. */
    @Override
    public String toString() {
      return sentence;
    }
  }

  private final @Nullable Path file;
  private final AtomicLong total = new AtomicLong();
  private final Map<Reason, Long> byReason = new EnumMap<>(Reason.class);
  private final List<String> first = new ArrayList<>();
  private final OpenOption[] opening;
  private final long bytesMax;
  private final AtomicLong unwritten = new AtomicLong();
  private long bytes;
  private @Nullable BufferedWriter writer;

  /**
   * @param file to write rejects to, if there are any; what it holds is replaced
   */
  public Rejects(Path file) {
    this(file, Long.MAX_VALUE);
  }

  private Rejects(@Nullable Path file, long bytesMax, OpenOption... opening) {
    this.file = file;
    this.bytesMax = bytesMax;
    this.opening = opening;
  }

  /** Rejects that are only counted. */
  public static Rejects counted() {
    return new Rejects(null, 0);
  }

  /**
   * Rejects that are appended to a file.
   *
   * @param bytesMax length of the file from which on they are only counted; its last line says so
   */
  public static Rejects appended(Path file, long bytesMax) {
    return new Rejects(file, bytesMax, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * Counts a reject and writes the line {@code [from, to)}, without its line end.
   *
   * @param input name of the file it stands in
   * @param line number in that file, from 1
   * @param offset of its first byte in that file, from 0; negative if it is not one of bytes
   */
  void add(String input, long line, long offset, Reason reason, byte[] buffer, int from, int to)
      throws InputException {
    total.incrementAndGet();
    byReason.merge(reason, 1L, Long::sum);
    String text = escaped(buffer, from, Math.min(to, from + TEXT_BYTES_MAX));
    if (first.size() < FIRST_MAX) {
      String cut =
          text.length() > FIRST_TEXT_MAX ? text.substring(0, FIRST_TEXT_MAX) + "..." : text;
      String at = offset < 0 ? "" : " (byte " + offset + ")";
      first.add(input + ":" + line + at + ": " + reason + ": " + cut);
    }
    if (file == null) {
      return;
    }
    String place = escaped(input) + '\t' + line + '\t' + (offset < 0 ? "" : offset) + '\t';
    try {
      write(file, place + reason + '\t' + text + '\n');
    } catch (IOException e) {
      throw cannotWrite(e);
    }
  }

  private void write(Path to, String reject) throws IOException {
    if (writer == null) {
      writer = Files.newBufferedWriter(to, StandardCharsets.UTF_8, opening);
      bytes = Files.size(to);
    }
    if (bytes >= bytesMax) {
      unwritten.incrementAndGet();
      return;
    }
    // Escaped text is ASCII.
    writer.write(reject);
    bytes += reject.length();
    if (bytes >= bytesMax) {
      writer.write("\t\t\tthe file is full: further rejects are only counted\t\n");
    }
  }

  /** Rejects that are only counted, because the file is full; since it was opened. */
  public long unwritten() {
    return unwritten.get();
  }

  /**
   * Counts a reject of a chunk and writes it.
   *
   * @param input name of the chunk's input
   * @param firstLine number of the chunk's first line
   * @param offset of the chunk's buffer in the input
   */
  public void add(String input, long firstLine, long offset, RejectedRecord each)
      throws InputException {
    add(
        input,
        firstLine + each.line(),
        each.at() < 0 ? -1 : offset + each.at(),
        each.reason(),
        each.bytes(),
        each.from(),
        each.to());
  }

  /** Where rejects are written; does not exist for their sake if {@link #total} is 0. */
  public Path file() {
    return Objects.requireNonNull(file, "rejects are only counted");
  }

  /**
   * One of {@link #first} whose line was counted from the beginning of a part of its input.
   *
   * @param input its name
   * @param lines before that part
   */
  public static String moved(String reject, String input, long lines) {
    int from = input.length() + 1;
    int to = from;
    while (to < reject.length() && Character.isDigit(reject.charAt(to))) {
      to++;
    }
    long line = Long.parseLong(reject, from, to, 10);
    return reject.substring(0, from) + (line + lines) + reject.substring(to);
  }

  /** Lines rejected so far. */
  public long total() {
    return total.get();
  }

  /** Lines rejected for each reason met; in the order of {@link Reason}. */
  public Map<Reason, Long> byReason() {
    return Collections.unmodifiableMap(byReason);
  }

  /** The first few rejects, each a line for people. */
  public List<String> first() {
    return Collections.unmodifiableList(first);
  }

  /** Brings what was added so far to the file; on the thread that adds. */
  public void flush() throws InputException {
    try {
      if (writer != null) {
        writer.flush();
      }
    } catch (IOException e) {
      throw cannotWrite(e);
    }
  }

  /** Brings everything to the file. */
  @Override
  public void close() throws InputException {
    try {
      if (writer != null) {
        writer.close();
      }
    } catch (IOException e) {
      throw cannotWrite(e);
    }
  }

  private RejectsFileException cannotWrite(IOException e) {
    return new RejectsFileException("Cannot write the rejects file " + file, e);
  }

  private static String escaped(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return escaped(bytes, 0, bytes.length);
  }

  private static String escaped(byte[] buffer, int from, int to) {
    StringBuilder text = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      int b = buffer[i] & 0xff;
      switch (b) {
        case '\t' -> text.append("\\t");
        case '\r' -> text.append("\\r");
        case '\\' -> text.append("\\\\");
        default -> {
          if (b < ' ' || b > '~') {
            text.append(String.format("\\x%02x", b));
          } else {
            text.append((char) b);
          }
        }
      }
    }
    return text.toString();
  }
}
