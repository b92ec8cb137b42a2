package io.packhorse.loader.source.text;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesGrouping;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.input.Compression;
import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Reads points from text, input after input, each in its own format, compressed or not. Line ends
 * are LF or CR LF. A record that cannot be parsed becomes a reject with its position, never an
 * exception; if a compressed input is damaged, the points before the damage are loaded and the next
 * input follows.
 *
 * <p>A batch holds the points of at most 1 MiB of text. If the records of a format do not depend on
 * each other, several threads parse the chunks of a file, and the batches still come in file order;
 * a pipe is read by one thread, which passes on at once what there is. One thread.
 */
public final class TextSource implements PointSource {
  /** Bytes that a format is detected from, if the input has them and delivers them at once. */
  private static final int HEAD_BYTES = 1 << 17;

  /** Formats whose parsers are kept; files that each have tags of their own have a format each. */
  private static final int FORMATS_KEPT = 64;

  private final List<Input> inputs;
  private final FormatChooser formats;
  private final Points points;
  private final ParserPool parsers;

  /** Chunks being parsed, in input order, and chunks to use again. */
  private final ArrayDeque<PendingChunk> pending = new ArrayDeque<>();

  private final ArrayDeque<TextChunk> spare = new ArrayDeque<>();
  private @Nullable TextChunk given;

  private @Nullable InputStream in;
  private @Nullable RecordFormat format;
  private String name = "";
  private TextChunk filling;

  /** Whether the chunks of this input are parsed in parallel. */
  private boolean shared;

  /** Idle parsers of each format that is parsed in parallel. */
  private final Map<RecordFormat, Queue<Reader>> readers = new HashMap<>();

  /** Number of the input being read, or of the next one to open. */
  private int input;

  /** Where the next input begins to count, which is 0 but for the first one. */
  private long start;

  /** Up to where points were given. */
  private int givenInput;

  private long givenPlace;
  private long givenLine;
  private boolean givenMidLine;
  private long offset;
  private long lines;

  /**
   * Threads that parse chunks.
   *
   * @param executor runs them
   * @param count chunks parsed at once
   * @param chunkBytes a chunk ends behind the first record that ends after so many bytes, or where
   *     its buffer is full
   */
  public record ParserPool(Executor executor, int count, int chunkBytes) {
    /** The reading thread parses too. */
    public static final ParserPool NONE = new ParserPool(Runnable::run, 0);

    /** Chunks are as long as their buffers. */
    public ParserPool(Executor executor, int count) {
      this(executor, count, Integer.MAX_VALUE);
    }
  }

  /** Parses one chunk after the other. */
  private record Reader(RecordFormat format, SeriesGrouping grouping) {}

  /** A chunk being parsed, and its input. */
  private record PendingChunk(
      TextChunk chunk, int input, String name, FutureTask<@Nullable Void> parsing) {}

  /**
   * @param inputs read one after the other, each opened when the one before has been read
   * @param formats asked for each input
   * @param points gets what is read
   */
  public TextSource(List<Input> inputs, FormatChooser formats, Points points) {
    this(inputs, formats, points, SourcePosition.START, ParserPool.NONE);
  }

  /**
   * As {@link #TextSource(List, FormatChooser, Points)}, from a {@link #position} on and with help.
   *
   * @param from a position that a source of the same inputs gave
   */
  public TextSource(
      List<Input> inputs,
      FormatChooser formats,
      Points points,
      SourcePosition from,
      ParserPool parsers) {
    this.inputs = List.copyOf(inputs);
    this.formats = formats;
    this.points = points;
    this.parsers = parsers;
    this.filling = new TextChunk(points.forChunk());
    this.input = from.input();
    this.start = from.offset();
    this.givenInput = from.input();
    this.givenPlace = from.offset();
    this.givenLine = from.line();
  }

  /**
   * Checks that the format of an input that can be opened again is detected.
   *
   * @throws InputException if it cannot be read, or its format not be detected
   */
  public static void inspect(Input input, FormatChooser formats, Points points)
      throws InputException, InterruptedException {
    try (TextSource source = new TextSource(List.of(input), formats, points)) {
      source.open(input);
    }
  }

  /**
   * Lines of the current or last input whose points were returned, with those before the position
   * that it was read from.
   */
  public long lines() {
    return lines;
  }

  /** Uncompressed bytes of the current or last input whose points were returned. */
  public long offset() {
    return offset;
  }

  @Override
  public @Nullable PointBatch next() throws InputException, InterruptedException {
    if (given != null) {
      spare.push(given);
      given = null;
    }
    readAhead();
    PendingChunk first = pending.peek();
    if (first == null) {
      return null;
    }
    await(first.parsing);
    pending.remove();
    give(first);
    given = first.chunk;
    return first.chunk.batch();
  }

  /** Empty in the middle of a line that is too long and being skipped. */
  @Override
  public Optional<SourcePosition> position() {
    return givenMidLine
        ? Optional.empty()
        : Optional.of(new SourcePosition(givenInput, givenPlace, givenLine));
  }

  private void give(PendingChunk parsed) throws InputException {
    TextChunk chunk = parsed.chunk;
    points.merge(chunk.points(), parsed.name, givenLine, chunk.offset());
    offset = chunk.place();
    givenInput = parsed.input;
    givenPlace = offset;
    givenLine += chunk.lines();
    lines = givenLine - 1;
    givenMidLine = chunk.skipping();
    if (chunk.ended()) {
      givenInput++;
      givenPlace = 0;
      givenLine = 1;
      givenMidLine = false;
    }
  }

  private static void await(FutureTask<@Nullable Void> parsing)
      throws InputException, InterruptedException {
    try {
      parsing.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof InputException known) {
        throw known;
      }
      throw new IllegalStateException("text cannot be parsed", cause);
    }
  }

  /** Reads until enough chunks are being parsed, or the end. */
  private void readAhead() throws InputException, InterruptedException {
    while (input < inputs.size() && pending.size() <= 2 * parsers.count) {
      boolean opened = in == null;
      if (opened) {
        if (!pending.isEmpty() && !inputs.get(input).isPlainFile()) {
          // A pipe may be slow: finish the chunks being parsed first.
          return;
        }
        open(inputs.get(input));
      }
      if (!shared && !pending.isEmpty()) {
        return;
      }
      if (!opened && !filling.ended()) {
        fill();
      }
      while (shared
          && !filling.ended()
          && filling.room() > 0
          && filling.limit() - filling.at() < parsers.chunkBytes) {
        fill();
      }
      start();
    }
  }

  /** Has the filled chunk parsed, and begins the next one. */
  private void start() throws InputException {
    TextChunk chunk = filling;
    RecordFormat how = Objects.requireNonNull(format);
    TextChunk next = spare.isEmpty() ? new TextChunk(points.forChunk()) : spare.pop();
    FutureTask<@Nullable Void> parsing;
    if (shared) {
      int piece = chunk.pieceEnd(how, parsers.chunkBytes);
      if (piece > chunk.at()) {
        chunk.leave(next, piece);
      } else {
        int end = chunk.end(how);
        next.begin(chunk, end, chunk.cutsLongLine(end));
        chunk.cut(end);
      }
      if (readers.size() > FORMATS_KEPT) {
        // Chunks being parsed hold on to theirs.
        readers.clear();
      }
      Queue<Reader> idle = readers.computeIfAbsent(how, none -> new ConcurrentLinkedQueue<>());
      parsing =
          new FutureTask<>(
              () -> {
                parseInParallel(chunk, how, idle);
                return null;
              });
      parsers.executor.execute(parsing);
    } else {
      parsing =
          new FutureTask<>(
              () -> {
                chunk.parse(how);
                return null;
              });
      parsing.run();
      next.begin(chunk, chunk.at(), chunk.skipping());
    }
    pending.add(new PendingChunk(chunk, input, name, parsing));
    filling = next;
    if (chunk.ended()) {
      close();
      input++;
      start = 0;
    }
  }

  /** On any thread: parses a chunk with an idle parser of the format. */
  private static void parseInParallel(TextChunk chunk, RecordFormat how, Queue<Reader> idle)
      throws InputException {
    Reader reader = idle.poll();
    if (reader == null) {
      reader = new Reader(how.forAnotherThread().orElseThrow(), new SeriesGrouping());
    }
    chunk.parse(reader.format, reader.grouping);
    idle.add(reader);
  }

  /** Opens an input and detects its format. */
  private void open(Input opening) throws InputException, InterruptedException {
    name = opening.name();
    filling.begin(0);
    InputStream from;
    try {
      in = opening.opener().open();
      from = Compression.decompress(in);
      in = from;
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (IOException e) {
      throw new InputException(name + " cannot be read", e);
    }
    do {
      fill();
    } while (!filling.ended()
        && filling.limit() < HEAD_BYTES
        && (opening.isPlainFile() || !holdsRecords()));
    skipByteOrderMark();
    InputHead head =
        new InputHead(
            name,
            filling.buffer(),
            filling.at(),
            filling.limit(),
            filling.ended(),
            opening.opener().file());
    RecordFormat how = formats.choose(head);
    refuseCarriageReturns();
    format = how;
    shared = parsers.count > 0 && opening.isPlainFile() && how.forAnotherThread().isPresent();
    if (start > 0 && how.dependsOnEarlierRecords()) {
      readAgain(start, how);
    } else if (start > 0) {
      goTo(start, from);
    } else {
      filling.skipLines(how.start(head));
    }
  }

  /** Parses everything before a position once more, for what later records need to know of it. */
  private void readAgain(long place, RecordFormat how) throws InputException, InterruptedException {
    while (filling.place() < place) {
      TextChunk chunk = filling;
      TextChunk next = new TextChunk(points.forChunk());
      if (place - chunk.offset() <= chunk.limit()) {
        int end = (int) (place - chunk.offset());
        next.begin(chunk, end, false);
        next.endLike(chunk);
        chunk.cut(end);
        chunk.parse(how);
      } else if (chunk.ended()) {
        throw new InputException(name + " is shorter than it was");
      } else {
        chunk.parse(how);
        next.begin(chunk, chunk.at(), chunk.skipping());
      }
      filling = next;
      if (filling.place() < place) {
        fill();
      }
    }
  }

  /** Skips to a position of the input. */
  private void goTo(long place, InputStream from) throws InputException, InterruptedException {
    if (place <= filling.limit()) {
      filling.skip((int) place - filling.at());
      return;
    }
    try {
      from.skipNBytes(place - filling.limit());
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (IOException e) {
      throw new InputException(name + " cannot be read up to line " + givenLine, e);
    }
    filling.begin(place);
  }

  /**
   * Whether enough lines with content are complete, which for a table are a header and a row: a
   * pipe may be slow to deliver more.
   */
  private boolean holdsRecords() {
    byte[] buffer = filling.buffer();
    int records = 0;
    int from = 0;
    for (int feed = Lines.feed(buffer, 0, filling.limit()); feed >= 0; ) {
      int text = Lines.skipBlanks(buffer, from, feed);
      if (feed - text > 1 && buffer[text] != '#' && ++records == formats.linesNeeded()) {
        return true;
      }
      from = feed + 1;
      feed = Lines.feed(buffer, from, filling.limit());
    }
    return false;
  }

  /** Lines that end so would all be one. */
  private void refuseCarriageReturns() throws InputException {
    byte[] buffer = filling.buffer();
    if (Lines.feed(buffer, filling.at(), filling.limit()) >= 0) {
      return;
    }
    for (int i = filling.at(); i < filling.limit() - 1; i++) {
      if (buffer[i] == '\r') {
        throw new InputException(
            name
                + " has lines that end with a carriage return alone: change them to line feeds, tr"
                + " '\\r' '\\n' < FILE");
      }
    }
  }

  private void skipByteOrderMark() throws InputException {
    byte[] buffer = filling.buffer();
    int first = filling.limit() < 2 ? 0 : ((buffer[0] & 0xff) << 8) | (buffer[1] & 0xff);
    if (first == 0xfffe || first == 0xfeff) {
      throw new InputException(
          name + " is in UTF-16: change it to UTF-8, iconv -f UTF-16 -t UTF-8 FILE");
    }
    if (filling.limit() > 2 && first == 0xefbb && buffer[2] == (byte) 0xbf) {
      filling.skip(3);
    }
  }

  /** The same exception however an input reacts to an interrupt. */
  private static InterruptedException interrupted() {
    Thread.interrupted();
    return new InterruptedException("interrupted while reading");
  }

  /** Reads more into the chunk, or finds the end of the input. */
  private void fill() throws InputException, InterruptedException {
    try {
      InputStream from = Objects.requireNonNull(in);
      int most = Math.min(filling.room(), parsers.chunkBytes);
      filling.filled(from.read(filling.buffer(), filling.limit(), most));
    } catch (ClosedByInterruptException e) {
      throw interrupted();
    } catch (DamagedInputException e) {
      filling.endDamaged(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new InputException(name + " cannot be read any further at line " + givenLine, e);
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
