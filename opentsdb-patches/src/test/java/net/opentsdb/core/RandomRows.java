package net.opentsdb.core;

import io.packhorse.schema.cell.PointBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hbase.async.KeyValue;

/**
 * Rows of a few series over a few hours: often all series have the same times, often not.
 *
 * <p>Each hour comes in two forms: the cells of a packed row, and the one compacted column that a
 * stock TSD would hold for the points that count.
 */
final class RandomRows {
  static final long BASE_S = 1_356_998_400L;

  private final Random random;
  private final boolean aligned;
  private final int values;
  private final List<List<Object[]>> packed = new ArrayList<>();
  private final List<List<Object[]>> stock = new ArrayList<>();
  private final int hours;
  private final int apart;

  RandomRows(Random random) {
    this(random, 1);
  }

  /**
   * @param apart hours from one hour with points to the next
   */
  RandomRows(Random random, int apart) {
    this.random = random;
    this.apart = apart;
    int series = 1 + random.nextInt(random.nextInt(4) == 0 ? 9 : 3);
    hours = 1 + random.nextInt(5);
    aligned = random.nextInt(3) > 0;
    values = random.nextInt(9);
    int pattern = random.nextInt(7);
    for (int hour = 0; hour < hours; hour++) {
      int[] times = times(pattern);
      for (int i = 0; i < series; i++) {
        boolean absent = random.nextInt(aligned ? 20 : 5) == 0;
        boolean odd = random.nextInt(aligned ? 25 : 2) == 0;
        if (!absent) {
          add(i, hour, odd ? times(random.nextInt(7)) : times);
        }
      }
    }
    if (random.nextInt(4) == 0) {
      long seed = random.nextLong();
      java.util.Collections.shuffle(packed, new Random(seed));
      java.util.Collections.shuffle(stock, new Random(seed));
    }
  }

  /** An hour of a series in a packed cell, a point each ten seconds from an offset on. */
  static KeyValue packedHour(int series, int hour, int first) {
    KeyValue cell = Cells.packed(Cells.longs(1, regular(first, 10_000)), 7, 0, 10);
    return new KeyValue(
        key(series, hour), cell.family(), cell.qualifier(), cell.timestamp(), cell.value());
  }

  private static byte[] key(int series, int hour) {
    return ByteBuffer.allocate(13)
        .put(new byte[] {0, 0, 1})
        .putInt((int) (BASE_S + hour * 3600L))
        .put(new byte[] {0, 0, 1, 0, 0, (byte) (series + 1)})
        .array();
  }

  List<List<Object[]>> packed() {
    return packed;
  }

  List<List<Object[]>> stock() {
    return stock;
  }

  /** The time from the first hour to the end of the last one. */
  int hours() {
    return (hours - 1) * apart + 1;
  }

  private void add(int series, int hour, int[] times) {
    PointBlock block = new PointBlock();
    int kind = values == 8 ? random.nextInt(8) : values;
    long walk = random.nextInt(1000);
    for (int time : times) {
      walk += random.nextInt(101) - 50;
      addValue(block, time, kind, walk);
    }
    byte[] key = key(series, hour * apart);
    stock.add(List.<Object[]>of(cell(key, Cells.plain(block, 10))));
    packed.add(random.nextInt(6) == 0 ? mixed(key, block) : List.<Object[]>of(packed(key, block)));
  }

  private void addValue(PointBlock block, int time, int kind, long walk) {
    switch (kind) {
      case 0, 1 -> block.addLong(time, walk);
      case 2 -> block.addLong(time, random.nextLong() >> random.nextInt(64));
      case 3 -> block.addLong(time, (1L << 52) + walk);
      case 4 -> addDouble(block, time, walk / 10.0);
      case 5 -> addDouble(block, time, random.nextGaussian() * 1e6);
      case 6 ->
          addDouble(
              block,
              time,
              switch (random.nextInt(40)) {
                case 0 -> Double.NaN;
                case 1 -> -0.0;
                case 2 -> 0.0;
                case 3 -> random.nextInt(30) == 0 ? Double.POSITIVE_INFINITY : 1e300;
                case 4 -> Double.MIN_VALUE;
                default -> (float) random.nextGaussian();
              });
      default -> {
        if (random.nextBoolean()) {
          block.addLong(time, walk);
        } else {
          addDouble(block, time, walk + 0.5);
        }
      }
    }
  }

  private static void addDouble(PointBlock block, int time, double value) {
    block.addDouble(time, Double.doubleToRawLongBits(value));
  }

  /** The same points over several columns, with points that lose. */
  private List<Object[]> mixed(byte[] key, PointBlock block) {
    PointBlock[] parts = {new PointBlock(), new PointBlock(), new PointBlock()};
    for (int i = 0; i < block.count(); i++) {
      int winner = random.nextInt(3);
      for (int part = 0; part < 3; part++) {
        if (part == winner) {
          parts[part].add(block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
        } else if (part < winner && random.nextInt(4) == 0) {
          parts[part].addLong(block.offsetsMs()[i], 4711);
        }
      }
    }
    List<Object[]> cells = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      if (parts[part].count() > 0) {
        long stamp = 10L + part;
        KeyValue cell =
            part == 1
                ? Cells.plain(parts[part], stamp)
                : Cells.packed(parts[part], 1 + part, part, stamp);
        cells.add(cell(key, cell));
      }
    }
    return cells;
  }

  private static Object[] packed(byte[] key, PointBlock block) {
    return cell(key, Cells.packed(block, 7, 0, 10));
  }

  private static Object[] cell(byte[] key, KeyValue cell) {
    return new Object[] {key, cell.family(), cell.qualifier(), cell.timestamp(), cell.value()};
  }

  private int[] times(int pattern) {
    return switch (pattern) {
      case 0 -> regular(0, 1000);
      case 1 -> regular(random.nextInt(60) * 1000, 60_000);
      case 2 -> regular(random.nextInt(10_000), 10_000);
      case 3 -> regular(random.nextInt(250), 2500);
      case 4 -> thinned(regular(0, 10_000));
      case 5 -> jittered(regular(0, 30_000));
      default -> new int[] {random.nextInt(PointBlock.HOUR_MS)};
    };
  }

  private static int[] regular(int first, int step) {
    int[] times = new int[(PointBlock.HOUR_MS - first + step - 1) / step];
    for (int i = 0; i < times.length; i++) {
      times[i] = first + i * step;
    }
    return times;
  }

  private int[] thinned(int[] times) {
    int[] kept = Arrays.stream(times).filter(time -> random.nextInt(3) > 0).toArray();
    return kept.length == 0 ? times : kept;
  }

  private int[] jittered(int[] times) {
    return Arrays.stream(times).map(time -> time + random.nextInt(20_000)).toArray();
  }
}
