package io.packhorse.loader.pipeline;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.ScratchHours;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.MemoryUidStore;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.NullSink;
import io.packhorse.loader.source.PointSource;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A process whose load never ends by itself and leaves nearly no heap free; exits with 5. */
final class FullHeapLoad {
  private static final int MIB = 1 << 20;
  private static final int GARBAGE_BYTES = 1 << 14;

  private FullHeapLoad() {}

  /**
   * Runs the load.
   *
   * @param args percentage of the heap that the load holds
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    long heldMax = Runtime.getRuntime().maxMemory() / 100 * Integer.parseInt(args[0]);
    SeriesNames names = new SeriesNames();
    RowKeyLayout layout = new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));
    try (ScratchHours scratch = new ScratchHours()) {
      new LoadPipeline(
              CellForm.PACKED,
              layout,
              new SeriesResolver(new MemoryUidStore(), layout.widths()),
              () -> new LoaderId(1, 1),
              NullSink::new,
              scratch::next)
          .run(new Holding(names, heldMax), names, 1, SealPolicy.FILES);
    } catch (IOException e) {
      System.out.println(e.getMessage());
      System.exit(5);
    }
  }

  /** Yields batches without points, each of which costs some memory. */
  private static final class Holding implements PointSource {
    private final PointBatch batch = new PointBatch(1);
    private final List<byte[][]> held = new ArrayList<>();
    private final byte[][] garbage = new byte[1][];

    Holding(SeriesNames names, long heldMax) {
      names.intern(SeriesName.of("m", "host", "a"));
      for (long bytes = 0; bytes < heldMax; bytes += MIB) {
        // Small objects, as names are, so that a collection takes its time.
        byte[][] some = new byte[MIB / 52][];
        Arrays.setAll(some, i -> new byte[32]);
        held.add(some);
        if (held.size() % 8 == 0) {
          System.gc();
        }
      }
    }

    @Override
    public PointBatch next() {
      garbage[0] = new byte[GARBAGE_BYTES];
      return batch;
    }

    @Override
    public void close() {}
  }
}
