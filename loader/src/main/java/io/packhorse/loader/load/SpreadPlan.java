package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.sink.hfile.SpreadTarget;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidWidths;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the packed hours of a load become cells. Its arrays must not be changed; any thread.
 *
 * @param form of the cells
 * @param keys salt width and buckets, then the UID widths of metric, tag key and tag value
 * @param starts first row key of each part, rising, the first one empty; a part lies in one region,
 *     and one task writes it
 * @param loader id of all cells
 * @param stampMs timestamp of all cells, milliseconds since 1970
 * @param target that HFiles are written for
 */
public record SpreadPlan(
    CellForm form, int[] keys, byte[][] starts, int loader, long stampMs, SpreadTarget target)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** A part is not made smaller than this many bytes of cells for the sake of more tasks. */
  private static final long PART_BYTES_MIN = 8L << 20;

  /** And not larger; HBase takes a file of any size, but a task should not run for long. */
  private static final long PART_BYTES_MAX = 256L << 20;

  private static final int PARTS_A_THREAD = 2;

  static int[] keys(RowKeyLayout layout) {
    return new int[] {
      layout.salt().width(),
      layout.salt().buckets(),
      layout.widths().metric(),
      layout.widths().tagk(),
      layout.widths().tagv()
    };
  }

  /** Row keys of the table. */
  public RowKeyLayout layout() {
    return new RowKeyLayout(
        new UidWidths(keys[2], keys[3], keys[4]), new SaltFunction(keys[0], keys[1]));
  }

  /** The loader that all cells are written under. */
  public LoaderId loaderId() {
    return new LoaderId(loader, stampMs);
  }

  /** Number of the part that a row lies in. */
  public int partOf(byte[] rowKey) {
    int found = Arrays.binarySearch(starts, rowKey, Arrays::compareUnsigned);
    return found >= 0 ? found : -found - 2;
  }

  /** A row key that stands for so many bytes of cells. */
  record Sample(byte[] rowKey, double bytes) {}

  /**
   * Cuts the table into parts of about the same number of bytes, none of which lies in two regions.
   *
   * @param regions first key of each, rising, the first one empty
   * @param samples in any order
   * @param threads that will write
   */
  static byte[][] cut(byte[][] regions, List<Sample> samples, int threads) {
    double all = samples.stream().mapToDouble(Sample::bytes).sum();
    double partBytes =
        Math.min(
            PART_BYTES_MAX, Math.max(PART_BYTES_MIN, all / ((double) PARTS_A_THREAD * threads)));
    List<Sample> sorted = new ArrayList<>(samples);
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.rowKey(), b.rowKey()));
    List<byte[]> starts = new ArrayList<>();
    int next = 0;
    for (int region = 0; region < regions.length; region++) {
      starts.add(regions[region]);
      double held = 0;
      for (; next < sorted.size() && isBefore(sorted.get(next), regions, region + 1); next++) {
        byte[] row = sorted.get(next).rowKey();
        if (held >= partBytes && Arrays.compareUnsigned(row, starts.get(starts.size() - 1)) > 0) {
          starts.add(row);
          held = 0;
        }
        held += sorted.get(next).bytes();
      }
    }
    return starts.toArray(byte[][]::new);
  }

  private static boolean isBefore(Sample sample, byte[][] regions, int region) {
    return region == regions.length || Arrays.compareUnsigned(sample.rowKey(), regions[region]) < 0;
  }
}
