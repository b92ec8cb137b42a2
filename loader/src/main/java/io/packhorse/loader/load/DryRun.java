package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.PackerContext;
import io.packhorse.loader.pack.ScratchHours;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.MemoryUidStore;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.InputSource;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.schema.key.RowKeyLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Reads and packs the beginning of each input as a load would, and stores nothing. Small inputs are
 * read whole. One thread; used once.
 */
public final class DryRun implements Closeable {
  /** Most bytes read of an input, decompressed. */
  public static final long INPUT_BYTES_MAX = 64L << 20;

  /** Most bytes read of all inputs, as they are on disk. */
  private static final long BYTES_MAX = 1L << 30;

  private static final int SERIES_SHOWN = 5;

  private final RowKeyLayout layout;
  private final SeriesNames names;
  private final Points points;
  private final ScratchHours scratch = new ScratchHours();
  private final HourPacker packer;
  private final SeriesResolver resolver;
  private final Set<Integer> buckets = new HashSet<>();
  private long firstMs = Long.MAX_VALUE;
  private long lastMs;
  private long read;

  /**
   * @param names of the series, that of the formats
   * @param points gets what is read
   */
  public DryRun(RowKeyLayout layout, CellForm form, SeriesNames names, Points points)
      throws IOException {
    this.layout = layout;
    this.names = names;
    this.points = points;
    this.resolver = new SeriesResolver(new MemoryUidStore(), layout.widths());
    this.packer =
        new HourPacker(form, layout, resolver::tsuid, SealPolicy.AT_THE_END, new Nowhere(scratch));
  }

  /** Takes cells and drops them. */
  private record Nowhere(ScratchHours scratch) implements PackerContext {
    @Override
    public LoaderId newLoaderId() {
      return new LoaderId(1, 0);
    }

    @Override
    public void write(CellWrite cell) {}

    @Override
    public Path newHourFile() throws IOException {
      return scratch.next();
    }
  }

  public LoadPlan plan(LoadInputs inputs, AnnouncingFormats formats)
      throws IOException, InterruptedException {
    long started = System.nanoTime();
    long inputBytes = 0;
    long bytesRead = 0;
    int whole = 0;
    for (Input input : inputs.all()) {
      if (!input.isPlainFile()) {
        throw new InputException(input.name() + " can be read only once: a dry run needs files");
      }
      inputBytes += input.size();
      if (bytesRead < BYTES_MAX) {
        long bytes = read(input, formats);
        bytesRead += bytes;
        whole += bytes == input.size() ? 1 : 0;
      }
    }
    packer.finish();
    for (int series = 0; series < names.size(); series++) {
      buckets.add(layout.salt().bucket(resolver.tsuid(series)));
    }
    LoadPlan.Sample sample =
        new LoadPlan.Sample(
            read,
            packer.replacedPoints(),
            Replaced.of(packer.sealedAgain().isEmpty(), packer.firstReplaced(), names),
            points.rejected(),
            points.leftOut(),
            names.size(),
            IntStream.range(0, Math.min(names.size(), SERIES_SHOWN))
                .mapToObj(series -> names.get(series).toString())
                .toList(),
            firstMs,
            lastMs,
            packer.cellBytes());
    double share = inputBytes == 0 ? 1 : Math.max(1, bytesRead) / (double) inputBytes;
    return new LoadPlan(
        new InputFindings(formats.readings(), inputs.notes()),
        inputs.all().size(),
        inputBytes,
        whole,
        sample,
        share,
        buckets.size(),
        (System.nanoTime() - started) / 1e9);
  }

  @Override
  public void close() throws IOException {
    scratch.close();
  }

  /** Reads the beginning of an input; bytes read as they lie on disk, all of them at its end. */
  private long read(Input input, InputFormats formats) throws IOException, InterruptedException {
    InputBytes counted = new InputBytes(List.of(input));
    try (InputSource source = new InputSource(counted.inputs(), formats, points)) {
      while (source.offset() < INPUT_BYTES_MAX) {
        PointBatch batch = source.next();
        if (batch == null) {
          return input.size();
        }
        resolver.resolveAll(names);
        packer.accept(batch);
        read += batch.points();
        for (int i = 0; i < batch.points(); i++) {
          firstMs = Math.min(firstMs, batch.timestampsMs()[i]);
          lastMs = Math.max(lastMs, batch.timestampsMs()[i]);
        }
      }
    }
    return Math.min(counted.read(), input.size());
  }
}
