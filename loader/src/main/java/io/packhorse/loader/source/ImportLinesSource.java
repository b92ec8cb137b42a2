package io.packhorse.loader.source;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.Rejects.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Points from text in OpenTSDB's import format, one a line: {@code metric timestamp value tag=value
 * ...}. Line ends are LF or CR LF; empty lines and lines that begin with # are passed over; gzip is
 * known by its first bytes. What is no point becomes a reject, never an exception.
 *
 * <p>A batch holds the points of what one read brought, at most 256 KiB of text. One thread.
 */
public final class ImportLinesSource implements PointSource {
  /** Longest line, its end not counted. */
  static final int LINE_BYTES_MAX = 1 << 16;

  private static final int BUFFER_BYTES = 1 << 18;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;

  private final List<Input> inputs;
  private final Rejects rejects;
  private final LineParser parser;
  private final PointBatch batch = new PointBatch(1 << 14);
  private final byte[] buffer = new byte[BUFFER_BYTES + LineSeries.PADDING];

  private @Nullable InputStream in;
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

  /** Opens an input when its turn comes. */
  public interface Opener {
    InputStream open() throws IOException;
  }

  /**
   * A file or a pipe.
   *
   * @param name for messages and rejects
   */
  public record Input(String name, Opener opener) {}

  /**
   * @param inputs read one after the other, each opened when the one before has ended
   * @param names gets every series met
   */
  public ImportLinesSource(List<Input> inputs, SeriesNames names, Rejects rejects) {
    this(inputs, names, rejects, SourcePosition.START);
  }

  /**
   * As {@link #ImportLinesSource(List, SeriesNames, Rejects)}, from a {@link #position} on.
   *
   * @param from a position that a source of the same inputs gave
   */
  public ImportLinesSource(
      List<Input> inputs, SeriesNames names, Rejects rejects, SourcePosition from) {
    this.inputs = List.copyOf(inputs);
    this.rejects = rejects;
    this.parser = new LineParser(names);
    this.input = from.input();
    this.bufferOffset = from.offset();
    this.line = from.line();
  }

  @Override
  public @Nullable PointBatch next() throws ImportLinesException, InterruptedException {
    batch.clear();
    while (batch.points() == 0) {
      if (in == null) {
        if (input == inputs.size()) {
          return null;
        }
        open(inputs.get(input));
      } else if (fill(in)) {
        takeLines();
      } else {
        takeLastLine();
        close();
        input++;
        bufferOffset = 0;
        line = 1;
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
  private void open(Input opening) throws ImportLinesException, InterruptedException {
    name = opening.name();
    try {
      in = opening.opener().open();
      in = unpacked(in);
      in.skipNBytes(bufferOffset);
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (IOException e) {
      throw new ImportLinesException(name + " cannot be read", e);
    }
  }

  /** The one way to say it, whatever the input does when a thread that waits in it is woken. */
  private static InterruptedException interrupted() {
    Thread.interrupted();
    return new InterruptedException("interrupted while reading");
  }

  /** The input itself, or what it holds if it is gzip. */
  static InputStream unpacked(InputStream raw) throws IOException {
    PushbackInputStream in = new PushbackInputStream(raw, 2);
    byte[] start = in.readNBytes(2);
    in.unread(start);
    return start.length == 2 && ImportLinesGzip.startsWith(start[0] & 0xff, start[1] & 0xff)
        ? new ImportLinesGzip(in)
        : in;
  }

  /** Moves the line begun to the front and reads behind it; false at the end of the input. */
  private boolean fill(InputStream from) throws ImportLinesException, InterruptedException {
    System.arraycopy(buffer, at, buffer, 0, limit - at);
    bufferOffset += at;
    limit -= at;
    at = 0;
    int count;
    try {
      count = from.read(buffer, limit, BUFFER_BYTES - limit);
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (IOException e) {
      throw new ImportLinesException(name + " cannot be read any further at line " + line, e);
    }
    limit += Math.max(0, count);
    return count >= 0;
  }

  private void takeLines() throws ImportLinesException {
    while (true) {
      int end = lineFeed();
      if (end < 0) {
        break;
      }
      takeLine(end);
      at = end + 1;
      line++;
    }
    // One more for the CR of a line that is just short enough.
    if (limit - at > LINE_BYTES_MAX + 1 && !skippingLine) {
      reject(Reason.LINE_TOO_LONG, limit);
      skippingLine = true;
    }
    if (skippingLine) {
      at = limit;
    }
  }

  private void takeLastLine() throws ImportLinesException {
    if (at < limit) {
      takeLine(limit);
    }
    at = 0;
    limit = 0;
    skippingLine = false;
  }

  /** Takes the line {@code [at, end)}. */
  private void takeLine(int end) throws ImportLinesException {
    if (skippingLine) {
      skippingLine = false;
      return;
    }
    int to = end;
    if (to > at && buffer[to - 1] == '\r') {
      to--;
    }
    if (to - at > LINE_BYTES_MAX) {
      reject(Reason.LINE_TOO_LONG, to);
      return;
    }
    int textTo = to;
    while (textTo > at && LineParser.isBlank(buffer[textTo - 1])) {
      textTo--;
    }
    int textFrom = LineParser.skipBlanks(buffer, at, textTo);
    if (textFrom == textTo || buffer[textFrom] == '#') {
      return;
    }
    Reason reason = parser.read(buffer, textFrom, textTo);
    if (reason != null) {
      reject(reason, to);
      return;
    }
    batch.add(parser.seriesId(), parser.timestampMs(), parser.bits(), parser.isDouble());
  }

  private void reject(Reason reason, int to) throws ImportLinesException {
    rejects.add(name, line, bufferOffset + at, reason, buffer, at, to);
  }

  /** Index of the next line feed, or -1; eight bytes a step. */
  private int lineFeed() {
    for (int i = at; i < limit; i += Long.BYTES) {
      long differences = (long) LONG.get(buffer, i) ^ (EACH_BYTE * '\n');
      long zeros = (differences - EACH_BYTE) & ~differences & (EACH_BYTE << 7);
      if (zeros != 0) {
        int found = i + (Long.numberOfTrailingZeros(zeros) >>> 3);
        return found < limit ? found : -1;
      }
    }
    return -1;
  }

  /** Closes the input being read, if any. */
  @Override
  public void close() throws ImportLinesException {
    InputStream open = in;
    in = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (IOException e) {
      throw new ImportLinesException(name + " cannot be closed", e);
    }
  }
}
