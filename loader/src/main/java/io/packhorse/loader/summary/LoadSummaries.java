package io.packhorse.loader.summary;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.summary.SummaryQualifier;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects the summaries of a load while it runs, and has its claims cover each cell first. Each
 * shard has a collector of its own.
 */
public final class LoadSummaries implements Closeable {
  /** Entries that are not blocks yet take at most this share of the heap, all shards together. */
  private static final int HEAP_SHARE = 32;

  private final RowKeyLayout layout;
  private final IntFunction<Tsuid> tsuids;
  private final IntToLongFunction metrics;
  private final LoaderClaims claims;
  private final Files files;
  private final long bytesMax;
  private final List<Shard> shards = new CopyOnWriteArrayList<>();

  /** Names temporary files that do not exist yet. Any thread. */
  public interface Files {
    Path next() throws IOException;
  }

  /**
   * @param tsuids TSUID by series id
   * @param metrics UID of the metric by series id
   * @param files for blocks that memory has no room for
   */
  public LoadSummaries(
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      IntToLongFunction metrics,
      LoaderClaims claims,
      Files files) {
    this(layout, tsuids, metrics, claims, files, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  LoadSummaries(
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      IntToLongFunction metrics,
      LoaderClaims claims,
      Files files,
      long bytesMax) {
    this.layout = layout;
    this.tsuids = tsuids;
    this.metrics = metrics;
    this.claims = claims;
    this.files = files;
    this.bytesMax = bytesMax;
  }

  /** The collector of a shard; all are opened before the first takes a cell. */
  public SummedCells open() {
    Shard shard = new Shard();
    shards.add(shard);
    return shard;
  }

  /** How many shards there are. */
  public int shards() {
    return shards.size();
  }

  /**
   * Hands over all blocks of a shard, once; after all shards have ended. Each shard may be read on
   * a thread of its own.
   *
   * @param shard from 0
   */
  public void read(int shard, SummaryWrite.Receiver to) throws IOException {
    shards.get(shard).read(to);
  }

  /** Hands over the blocks of all shards. */
  public void read(SummaryWrite.Receiver to) throws IOException {
    for (Shard shard : shards) {
      shard.read(to);
    }
  }

  @Override
  public void close() throws IOException {
    for (Shard shard : shards) {
      if (shard.file != null) {
        shard.file.close();
      }
    }
  }

  /** A loader id that a shard writes under. */
  private static final class Writing {
    private final LoaderClaim claim;

    /** Number of the newest blocks. */
    private int number;

    /** Greatest series that has blocks. */
    private int lastSeries = -1;

    Writing(LoaderClaim claim) {
      this.claim = claim;
    }

    /** Begins blocks of a log, with a number that no block of its series has yet. */
    void begin(SummaryLog log) {
      if (log.firstSeries() <= lastSeries) {
        number++;
      }
    }

    /** Notes the series of a block, and gives its number. */
    int number(int series) {
      lastSeries = Math.max(lastSeries, series);
      return number;
    }
  }

  /** What one shard has collected. */
  private final class Shard implements SummedCells {
    private final Map<Integer, Writing> writings = new HashMap<>();
    private SummaryLog log = new SummaryLog();
    private @Nullable SummaryFile file;

    /** The loader whose cells the log holds. */
    private @Nullable Writing writing;

    /** The series of the last block, and its TSUID. */
    private int tsuidSeries;

    private @Nullable Tsuid tsuid;

    @Override
    public void announce(LoaderId loader, int series, int hour) {
      covering(loader, series, hour);
    }

    /** What is written under a loader id; its claim covers the hour from now on. */
    private Writing covering(LoaderId loader, int series, int hour) {
      long metric = metrics.applyAsLong(series);
      long hourSeconds = (long) hour * BaseTime.HOUR_SECONDS;
      Writing known = writings.get(loader.id());
      if (known == null) {
        Writing begun = new Writing(claims.open(loader, metric, hourSeconds));
        writings.put(loader.id(), begun);
        return begun;
      }
      claims.cover(known.claim, metric, hourSeconds);
      return known;
    }

    @Override
    public void add(LoaderId loader, SummedCell cell) throws IOException {
      Writing of = covering(loader, cell.series(), cell.hour());
      if (of != writing) {
        toFile();
        writing = of;
      }
      if (!log.add(cell)) {
        toFile();
        log.add(cell);
      } else if (log.bytes() > bytesMax / shards.size()) {
        take(of, false, file()::write);
        if (log.bytes() > bytesMax / shards.size() / 2) {
          toFile();
        }
      }
    }

    private void toFile() throws IOException {
      Writing of = writing;
      if (of != null) {
        take(of, true, file()::write);
      }
    }

    private SummaryFile file() throws IOException {
      SummaryFile open = file;
      if (open == null) {
        open = new SummaryFile(files.next());
        file = open;
      }
      return open;
    }

    /**
     * Makes blocks of what is collected.
     *
     * @param all or of months that are over alone
     */
    private void take(Writing of, boolean all, SummaryWrite.Receiver to) throws IOException {
      of.begin(log);
      if (of.number > SummaryQualifier.MAX_NUMBER) {
        of.claim.leaveOut(
            "their memory, a 32nd of the heap, was full too often; a larger heap helps");
        log = new SummaryLog();
        return;
      }
      SummaryLog.Blocks blocks =
          (series, level, rowSeconds, value) ->
              to.take(
                  new SummaryWrite(
                      layout.rowKey(tsuid(series), rowSeconds),
                      level,
                      of.claim.loader(),
                      of.number(series),
                      value));
      if (all) {
        log.takeAll(blocks);
      } else {
        log.takeEnded(blocks);
      }
    }

    /** The blocks of a series follow each other. */
    private Tsuid tsuid(int series) {
      Tsuid known = tsuid;
      if (known == null || series != tsuidSeries) {
        known = tsuids.apply(series);
        tsuid = known;
        tsuidSeries = series;
      }
      return known;
    }

    private void read(SummaryWrite.Receiver to) throws IOException {
      SummaryFile before = file;
      if (before != null) {
        before.read(to);
      }
      Writing of = writing;
      if (of != null) {
        take(of, true, to);
      }
    }
  }
}
