package io.packhorse.spark;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.load.SpreadInput;
import io.packhorse.loader.load.SpreadReading;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.PackerContext;
import io.packhorse.loader.pack.RepeatedTime;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesGrouping;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidWidths;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads one input and packs its points, as a loader does; the packed hours come out as {@link
 * HourRecord}s while it reads, so that memory does not depend on the input. One thread.
 *
 * <p>UIDs are not known yet. The packer gets row keys of its own: number of the series in this
 * input, and hour.
 */
final class InputHours implements Iterator<byte[]>, Closeable {
  private static final int REJECTS_PIECE_BYTES = 1 << 16;

  /**
   * The number of a series takes the place of the metric; tags, which a key must have, say nothing.
   */
  private static final UidWidths WIDTHS = new UidWidths(Integer.BYTES, 1, 1);

  private static final RowKeyLayout KEYS = new RowKeyLayout(WIDTHS, SaltFunction.NONE);

  private final SpreadInput input;
  private final Path folder;
  private final SeriesNames names = new SeriesNames();
  private final Rejects rejects;
  private final Points points;
  private final SpreadInput.Source source;
  private final HourPacker packer;
  private final LastTimes times = new LastTimes();
  private final SeriesGrouping grouping = new SeriesGrouping();
  private final PointBatch grouped = new PointBatch(1);
  private final Samples samples = new Samples();
  private final Queue<byte[]> ready = new ArrayDeque<>();
  private Step step = Step.READ;
  private @Nullable InputStream rejected;
  private int records;
  private int hourFiles;
  private int loaderIds;
  private long read;
  private long bytes;

  private enum Step {
    READ,
    SEAL,
    REJECTS,
    END,
    DONE
  }

  /**
   * Opens the input.
   *
   * @param settings of the load
   * @param tasks that share this process's memory
   * @param folder local and empty; removed when this object is closed
   */
  InputHours(SpreadInput input, LoadInput.Files settings, int tasks, Path folder)
      throws IOException {
    this.input = input;
    this.folder = folder;
    this.rejects = new Rejects(folder.resolve("rejects.tsv"));
    this.points = new Points(settings.reading().rules(), rejects);
    this.source = input.open(new Formats(settings.reading(), names), points);
    this.packer =
        new HourPacker(
            CellForm.PACKED,
            KEYS,
            series -> Tsuid.of(WIDTHS, series + 1L, 1, 1),
            SealPolicy.FILES.forOneOf(tasks),
            new Context());
  }

  private final class Context implements PackerContext {
    @Override
    public LoaderId newLoaderId() {
      // Nobody sees it: what counts is which task writes an hour in the end.
      return new LoaderId(++loaderIds, 0);
    }

    @Override
    public void write(CellWrite cell) {
      ByteBuffer key = ByteBuffer.wrap(cell.rowKey());
      int series = key.getInt() - 1;
      int hour = (int) (Integer.toUnsignedLong(key.getInt()) / BaseTime.HOUR_SECONDS);
      ready.add(
          HourRecord.hour(input.number(), records++, series, hour, cell.points(), cell.value()));
      bytes += cell.value().length;
      samples.add(series, hour, cell.value().length);
    }

    @Override
    public Path newHourFile() {
      return folder.resolve("hours-" + ++hourFiles);
    }
  }

  @Override
  public boolean hasNext() {
    try {
      while (ready.isEmpty() && step != Step.DONE) {
        advance();
      }
      return !ready.isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("the task was ended"));
    }
  }

  @Override
  public byte[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  private void advance() throws IOException, InterruptedException {
    switch (step) {
      case READ -> {
        PointBatch batch = source.next();
        if (batch == null) {
          step = Step.SEAL;
        } else {
          times.take(batch);
          read += batch.points();
          packer.accept(grouping.group(batch, grouped) ? grouped : batch);
        }
      }
      case SEAL -> {
        if (!packer.sealNext()) {
          rejects.close();
          step = rejects.total() == 0 ? Step.END : Step.REJECTS;
        }
      }
      case REJECTS -> {
        InputStream from = rejected == null ? Files.newInputStream(rejects.file()) : rejected;
        rejected = from;
        byte[] piece = from.readNBytes(REJECTS_PIECE_BYTES);
        if (piece.length == 0) {
          step = Step.END;
        } else {
          ready.add(HourRecord.of(HourRecord.REJECTS, piece));
        }
      }
      case END -> {
        ready.add(end());
        step = Step.DONE;
      }
      case DONE -> {}
    }
  }

  private byte[] end() throws IOException {
    Map<String, Long> byReason = new LinkedHashMap<>();
    rejects.byReason().forEach((reason, lines) -> byReason.put(reason.toString(), lines));
    long[] lastMs = new long[names.size()];
    for (int series = 0; series < lastMs.length; series++) {
      lastMs[series] = times.ofSeries(series);
    }
    SpreadReading reading =
        new SpreadReading(
            input.number(),
            SpreadReading.encode(names),
            times.firstOfAll(),
            lastMs,
            read,
            packer.packedPoints(),
            packer.replacedPoints(),
            points.leftOut(),
            source.lines(),
            byReason,
            new ArrayList<>(rejects.first()),
            packer.firstReplaced().map(InputHours::place).orElse(null),
            bytes,
            samples.toArray());
    return HourRecord.of(HourRecord.END, SentObject.write(reading));
  }

  static long[] place(RepeatedTime at) {
    return new long[] {at.series(), at.timeMs()};
  }

  @Override
  public void close() throws IOException {
    InputStream open = rejected;
    try (rejects;
        source;
        packer;
        open) {
      // What is left of them is temporary.
    } finally {
      try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
        for (Path file : left) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  /**
   * Hours that stand for as many bytes each: one whenever so many bytes have passed. When there are
   * too many, every other one is dropped.
   */
  private static final class Samples {
    private static final int SAMPLES_MAX = 4096;

    private int[] held = new int[64];
    private int size;
    private long stepBytes = 1 << 14;
    private long bytes;
    private long nextBytes;

    void add(int series, int hour, int length) {
      bytes += length;
      if (bytes <= nextBytes) {
        return;
      }
      nextBytes = bytes + stepBytes;
      if (size == 2 * SAMPLES_MAX) {
        for (int i = 0; i < SAMPLES_MAX / 2; i++) {
          held[2 * i] = held[4 * i];
          held[2 * i + 1] = held[4 * i + 1];
        }
        size /= 2;
        stepBytes *= 2;
      }
      if (size == held.length) {
        held = Arrays.copyOf(held, 2 * size);
      }
      held[size++] = series;
      held[size++] = hour;
    }

    int[] toArray() {
      return Arrays.copyOf(held, size);
    }
  }
}
