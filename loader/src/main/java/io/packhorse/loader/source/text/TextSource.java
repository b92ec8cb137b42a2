package io.packhorse.loader.source.text;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesGrouping;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.Packing;
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
 * Points from text, input after input, each in its own format, packed or not. Line ends are LF or
 * CR LF. What is no point becomes a reject with its place, never an exception; where a packed input
 * is damaged, what came before is taken and the next input follows.
 *
 * <p>A batch holds the points of at most a MiB of text. Where records do not depend on those before
 * them, files are taken apart beside each other by several threads, and come out in order all the
 * same; a pipe gives what there is, at once. One thread.
 */
public final class TextSource implements PointSource {
  /** Longest record, its line end not counted. */
  public static final int RECORD_BYTES_MAX = 1 << 16;

  /** What a format is found out from, where the input has so much and gives it at once. */
  private static final int HEAD_BYTES = 1 << 17;

  private final List<Input> inputs;
  private final FormatChooser formats;
  private final Points points;
  private final Helpers helpers;

  /** Pieces under way, in their order, and those that are free again. */
  private final ArrayDeque<Reading> pending = new ArrayDeque<>();

  private final ArrayDeque<Piece> spare = new ArrayDeque<>();
  private @Nullable Piece given;

  private @Nullable InputStream in;
  private @Nullable RecordFormat format;
  private String name = "";
  private Piece filling;

  /** Whether the pieces of this input are taken apart beside each other. */
  private boolean shared;

  /** For each format that is shared its readers that are idle. */
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

  /**
   * Threads that take pieces apart.
   *
   * @param executor runs them
   * @param count pieces under way at once
   */
  public record Helpers(Executor executor, int count) {
    /** None: the thread that reads does it. */
    public static final Helpers NONE = new Helpers(Runnable::run, 0);
  }

  /** What takes one piece after the other apart. */
  private record Reader(RecordFormat format, SeriesGrouping grouping) {}

  /** A piece under way, and the input it is of. */
  private record Reading(Piece piece, int input, String name, FutureTask<@Nullable Void> taking) {}

  /**
   * @param inputs read one after the other, each opened when the one before has been read
   * @param formats asked for each input
   * @param points gets what is read
   */
  public TextSource(List<Input> inputs, FormatChooser formats, Points points) {
    this(inputs, formats, points, SourcePosition.START, Helpers.NONE);
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
      Helpers helpers) {
    this.inputs = List.copyOf(inputs);
    this.formats = formats;
    this.points = points;
    this.helpers = helpers;
    this.filling = new Piece(points.ofPiece());
    this.input = from.input();
    this.start = from.offset();
    this.givenInput = from.input();
    this.givenPlace = from.offset();
    this.givenLine = from.line();
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

  /** Bytes given of the input being read, or that was read last, once it is unpacked. */
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
    Reading reading = pending.peek();
    if (reading == null) {
      return null;
    }
    await(reading.taking);
    pending.remove();
    give(reading);
    given = reading.piece;
    return reading.piece.batch();
  }

  /** Empty while a line that is too long is passed over. */
  @Override
  public Optional<SourcePosition> position() {
    return givenMidLine
        ? Optional.empty()
        : Optional.of(new SourcePosition(givenInput, givenPlace, givenLine));
  }

  private void give(Reading reading) throws InputException {
    Piece piece = reading.piece;
    points.take(piece.points(), reading.name, givenLine, piece.offset());
    offset = piece.place();
    givenInput = reading.input;
    givenPlace = offset;
    givenLine += piece.lines();
    givenMidLine = piece.skipping();
    if (piece.ended()) {
      givenInput++;
      givenPlace = 0;
      givenLine = 1;
      givenMidLine = false;
    }
  }

  private static void await(FutureTask<@Nullable Void> taking)
      throws InputException, InterruptedException {
    try {
      taking.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof InputException known) {
        throw known;
      }
      throw new IllegalStateException("text cannot be taken apart", cause);
    }
  }

  /** Reads until enough pieces are under way, or all is read. */
  private void readAhead() throws InputException, InterruptedException {
    while (input < inputs.size() && pending.size() <= 2 * helpers.count) {
      boolean opened = in == null;
      if (opened) {
        if (!pending.isEmpty() && !inputs.get(input).isPlainFile()) {
          // It may be long in coming, and what is under way is not to wait for it.
          return;
        }
        RecordFormat unused = open(inputs.get(input));
      }
      if (!shared && !pending.isEmpty()) {
        return;
      }
      if (!opened) {
        fill();
      }
      while (shared && !filling.ended() && filling.room() > 0) {
        fill();
      }
      start();
    }
  }

  /** Has the piece that was filled taken apart, and begins the next one. */
  private void start() throws InputException {
    Piece piece = filling;
    RecordFormat how = Objects.requireNonNull(format);
    Piece next = spare.isEmpty() ? new Piece(points.ofPiece()) : spare.pop();
    boolean last = piece.ended();
    FutureTask<@Nullable Void> taking;
    if (shared) {
      int end = piece.end(how);
      next.begin(piece, end, piece.cutsLongLine(end));
      piece.cut(end);
      Queue<Reader> idle = readers.computeIfAbsent(how, none -> new ConcurrentLinkedQueue<>());
      taking = task(() -> takeBeside(piece, how, idle));
      helpers.executor.execute(taking);
    } else {
      taking = task(() -> piece.take(how));
      taking.run();
      next.begin(piece, piece.at(), piece.skipping());
    }
    pending.add(new Reading(piece, input, name, taking));
    filling = next;
    if (last) {
      close();
      input++;
      start = 0;
    }
  }

  private interface Taking {
    void run() throws InputException;
  }

  private static FutureTask<@Nullable Void> task(Taking taking) {
    return new FutureTask<>(
        () -> {
          taking.run();
          return null;
        });
  }

  /** On any thread: takes a piece apart by a reader of the format that no other thread has. */
  private static void takeBeside(Piece piece, RecordFormat how, Queue<Reader> idle)
      throws InputException {
    Reader reader = idle.poll();
    if (reader == null) {
      reader = new Reader(how.another().orElseThrow(), new SeriesGrouping());
    }
    piece.take(reader.format, reader.grouping);
    idle.add(reader);
  }

  /** Opens an input and finds out its format. */
  private RecordFormat open(Input opening) throws InputException, InterruptedException {
    name = opening.name();
    filling.begin(0);
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
      fill();
    } while (!filling.ended()
        && filling.limit() < HEAD_BYTES
        && (opening.isPlainFile() || !holdsRecords()));
    skipByteOrderMark();
    RecordFormat how =
        formats.choose(
            new Head(name, filling.buffer(), filling.at(), filling.limit(), filling.ended()));
    format = how;
    shared = helpers.count > 0 && opening.isPlainFile() && how.another().isPresent();
    if (start > 0) {
      goTo(start, from);
    }
    return how;
  }

  /** Goes forward from the beginning of the input. */
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
   * Whether two lines that say something are whole, a header and a row if it is a table: more may
   * be long in coming through a pipe.
   */
  private boolean holdsRecords() {
    byte[] buffer = filling.buffer();
    int records = 0;
    int from = 0;
    for (int feed = Lines.feed(buffer, 0, filling.limit()); feed >= 0; ) {
      int text = Lines.skipBlanks(buffer, from, feed);
      if (feed - text > 1 && buffer[text] != '#' && ++records == 2) {
        return true;
      }
      from = feed + 1;
      feed = Lines.feed(buffer, from, filling.limit());
    }
    return false;
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

  /** The one way to say it, whatever the input does when a thread that waits in it is woken. */
  private static InterruptedException interrupted() {
    Thread.interrupted();
    return new InterruptedException("interrupted while reading");
  }

  /** Reads behind what the piece has, or finds the end. */
  private void fill() throws InputException, InterruptedException {
    try {
      InputStream from = Objects.requireNonNull(in);
      filling.filled(from.read(filling.buffer(), filling.limit(), filling.room()));
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
