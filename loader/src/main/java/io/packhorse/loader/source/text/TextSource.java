package io.packhorse.loader.source.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.Packing;
import io.packhorse.loader.source.text.Rejects.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Points from text, input after input, each in its own format, packed or not. Line ends are LF or
 * CR LF. What is no point becomes a reject with its place, never an exception; where a packed input
 * is damaged, what came before is taken and the next input follows.
 *
 * <p>A batch holds the points of what one read brought, at most 256 KiB of text. One thread.
 */
public final class TextSource implements PointSource {
  /** Longest record, its line end not counted. */
  public static final int RECORD_BYTES_MAX = 1 << 16;

  private static final int BUFFER_BYTES = 1 << 18;

  /** What a format is found out from, where the input has so much and gives it at once. */
  private static final int HEAD_BYTES = 1 << 17;

  private final List<Input> inputs;
  private final FormatChooser formats;
  private final Points points;
  private final byte[] buffer = new byte[BUFFER_BYTES + Spellings.PADDING];

  private @Nullable InputStream in;
  private @Nullable RecordFormat format;
  private String name = "";

  /** Number of the input being read, or of the next one to open. */
  private int input;

  /** Bytes not yet taken: {@code [at, limit)}. */
  private int at;

  private int limit;

  /** Place of {@code buffer[0]} in the unpacked input. */
  private long bufferOffset;

  private long line;
  private boolean skippingLine;
  private boolean ended;

  /** What is wrong with the packed bytes, or empty. */
  private String damage = "";

  /**
   * @param inputs read one after the other, each opened when the one before has ended
   * @param formats asked for each input
   * @param points gets what is read
   */
  public TextSource(List<Input> inputs, FormatChooser formats, Points points) {
    this(inputs, formats, points, SourcePosition.START);
  }

  /**
   * As {@link #TextSource(List, FormatChooser, Points)}, from a {@link #position} on.
   *
   * @param from a position that a source of the same inputs gave
   */
  public TextSource(List<Input> inputs, FormatChooser formats, Points points, SourcePosition from) {
    this.inputs = List.copyOf(inputs);
    this.formats = formats;
    this.points = points;
    this.input = from.input();
    this.bufferOffset = from.offset();
    this.line = from.line();
  }

  /**
   * Looks into an input that can be opened again.
   *
   * @return the format it will be read in
   * @throws InputException if it cannot be read, or what it is cannot be found out
   */
  public static RecordFormat look(Input input, FormatChooser formats, Points points)
      throws InputException, InterruptedException {
    try (TextSource source = new TextSource(List.of(input), formats, points)) {
      return source.open(input);
    }
  }

  /** Bytes taken of the input being read, or that was read last, once it is unpacked. */
  public long offset() {
    return bufferOffset + at;
  }

  @Override
  public @Nullable PointBatch next() throws InputException, InterruptedException {
    PointBatch batch = points.batch();
    batch.clear();
    while (batch.points() == 0) {
      InputStream from = in;
      RecordFormat how = format;
      if (from == null || how == null) {
        if (input == inputs.size()) {
          return null;
        }
        how = open(inputs.get(input));
      } else {
        fill(from);
      }
      takeRecords(how);
      if (ended) {
        takeDamage();
        close();
        input++;
        at = 0;
        limit = 0;
        bufferOffset = 0;
        line = 1;
        skippingLine = false;
      }
    }
    return batch;
  }

  /** Empty while a line that is too long is passed over. */
  @Override
  public Optional<SourcePosition> position() {
    return skippingLine
        ? Optional.empty()
        : Optional.of(new SourcePosition(input, bufferOffset + at, line));
  }

  /** Opens an input at {@link #bufferOffset}, which is 0 but for the first one. */
  private RecordFormat open(Input opening) throws InputException, InterruptedException {
    name = opening.name();
    long start = bufferOffset;
    bufferOffset = 0;
    ended = false;
    damage = "";
    points.in(name, buffer);
    InputStream from;
    try {
      in = opening.opener().open();
      from = Packing.unpack(in);
      in = from;
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (IOException e) {
      throw new InputException(name + " cannot be read", e);
    }
    do {
      fill(from);
    } while (!ended && limit < HEAD_BYTES && (opening.isPlainFile() || !holdsRecords()));
    skipByteOrderMark();
    RecordFormat how = formats.choose(new Head(name, buffer, at, limit, ended));
    format = how;
    if (start > 0) {
      goTo(start, from);
    }
    return how;
  }

  /** Goes forward from the beginning of the input. */
  private void goTo(long offset, InputStream from) throws InputException, InterruptedException {
    if (offset <= limit) {
      at = (int) offset;
      return;
    }
    try {
      from.skipNBytes(offset - limit);
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (IOException e) {
      throw new InputException(name + " cannot be read up to line " + line, e);
    }
    bufferOffset = offset;
    at = 0;
    limit = 0;
  }

  /**
   * Whether two lines that say something are whole, a header and a row if it is a table: more may
   * be long in coming through a pipe.
   */
  private boolean holdsRecords() {
    int records = 0;
    int start = 0;
    for (int feed = Lines.feed(buffer, 0, limit); feed >= 0; ) {
      int text = Lines.skipBlanks(buffer, start, feed);
      if (feed - text > 1 && buffer[text] != '#' && ++records == 2) {
        return true;
      }
      start = feed + 1;
      feed = Lines.feed(buffer, start, limit);
    }
    return false;
  }

  private void skipByteOrderMark() throws InputException {
    int first = limit < 2 ? 0 : ((buffer[0] & 0xff) << 8) | (buffer[1] & 0xff);
    if (first == 0xfffe || first == 0xfeff) {
      throw new InputException(
          name + " is in UTF-16: change it to UTF-8, iconv -f UTF-16 -t UTF-8 FILE");
    }
    if (limit > 2 && first == 0xefbb && buffer[2] == (byte) 0xbf) {
      at = 3;
    }
  }

  /** The one way to say it, whatever the input does when a thread that waits in it is woken. */
  private static InterruptedException interrupted() {
    Thread.interrupted();
    return new InterruptedException("interrupted while reading");
  }

  /** Moves the record begun to the front and reads behind it, or finds the end. */
  private void fill(InputStream from) throws InputException, InterruptedException {
    System.arraycopy(buffer, at, buffer, 0, limit - at);
    bufferOffset += at;
    limit -= at;
    at = 0;
    int count;
    try {
      count = from.read(buffer, limit, BUFFER_BYTES - limit);
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (DamagedInputException e) {
      damage = String.valueOf(e.getMessage());
      count = -1;
    } catch (IOException e) {
      throw new InputException(name + " cannot be read any further at line " + line, e);
    }
    ended = count < 0;
    limit += Math.max(0, count);
  }

  private void takeRecords(RecordFormat how) throws InputException {
    boolean last = ended && damage.isEmpty();
    while (at < limit) {
      if (skippingLine) {
        int feed = Lines.feed(buffer, at, limit);
        at = feed < 0 ? limit : feed + 1;
        line += feed < 0 ? 0 : 1;
        skippingLine = feed < 0;
        continue;
      }
      int end = how.recordEnd(buffer, at, limit, last);
      if (end < 0) {
        break;
      }
      take(how, end);
      line += how.countsLines() ? Lines.count(buffer, at, end) : 1;
      at = end;
    }
    // Two more for the line end of a record that is just short enough.
    if (limit - at > RECORD_BYTES_MAX + 2) {
      rejectTooLong(limit);
      line += Lines.count(buffer, at, limit);
      skippingLine = true;
      at = limit;
    }
  }

  /** Takes the record {@code [at, end)}. */
  private void take(RecordFormat how, int end) throws InputException {
    int to = end;
    if (buffer[to - 1] == '\n') {
      to--;
    }
    if (to > at && buffer[to - 1] == '\r') {
      to--;
    }
    if (to - at > RECORD_BYTES_MAX) {
      rejectTooLong(to);
      return;
    }
    points.at(line, bufferOffset);
    how.read(buffer, at, to, points);
  }

  private void rejectTooLong(int to) throws InputException {
    points.at(line, bufferOffset);
    points.reject(Reason.LINE_TOO_LONG, at, to);
  }

  /** A line that damage has cut is none. */
  private void takeDamage() throws InputException {
    if (!damage.isEmpty()) {
      points.at(line, bufferOffset);
      points.reject(Reason.INPUT_DAMAGED, at, damage.getBytes(UTF_8));
    }
  }

  /** Closes the input being read, if any. */
  @Override
  public void close() throws InputException {
    InputStream open = in;
    in = null;
    format = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (IOException e) {
      throw new InputException(name + " cannot be closed", e);
    }
  }
}
