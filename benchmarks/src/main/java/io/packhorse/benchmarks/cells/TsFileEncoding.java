package io.packhorse.benchmarks.cells;

import io.packhorse.schema.cell.PointBlock;
import java.util.ArrayList;
import java.util.List;
import org.apache.tsfile.enums.TSDataType;
import org.apache.tsfile.file.metadata.enums.TSEncoding;

/**
 * A data type and an encoding of TsFile for the values of a series.
 *
 * @param decimals digits after the point that are kept; -1 for encodings that do not ask
 */
record TsFileEncoding(TSDataType type, TSEncoding encoding, int decimals) {
  private static final List<TSEncoding> OF_INTEGERS =
      List.of(
          TSEncoding.TS_2DIFF,
          TSEncoding.RLE,
          TSEncoding.GORILLA,
          TSEncoding.ZIGZAG,
          TSEncoding.CHIMP,
          TSEncoding.SPRINTZ,
          TSEncoding.RLBE,
          TSEncoding.PLAIN);

  private static final List<TSEncoding> OF_DOUBLES =
      List.of(
          TSEncoding.GORILLA,
          TSEncoding.CHIMP,
          TSEncoding.SPRINTZ,
          TSEncoding.RLBE,
          TSEncoding.CAMEL,
          TSEncoding.PLAIN);

  private static final List<TSEncoding> OF_DECIMALS = List.of(TSEncoding.TS_2DIFF, TSEncoding.RLE);
  private static final int DECIMALS_MAX = 4;

  /**
   * All that may suit these blocks, each of which is of one kind; whether they do is to be tried.
   */
  static List<TsFileEncoding> candidates(List<PointBlock> blocks) {
    List<TsFileEncoding> candidates = new ArrayList<>();
    if (blocks.get(0).doubles() == 0) {
      TSDataType type = fitInts(blocks) ? TSDataType.INT32 : TSDataType.INT64;
      OF_INTEGERS.forEach(each -> candidates.add(new TsFileEncoding(type, each, -1)));
    } else {
      OF_DOUBLES.forEach(each -> candidates.add(new TsFileEncoding(TSDataType.DOUBLE, each, -1)));
      for (TSEncoding each : OF_DECIMALS) {
        for (int decimals = 0; decimals <= DECIMALS_MAX; decimals++) {
          candidates.add(new TsFileEncoding(TSDataType.DOUBLE, each, decimals));
        }
      }
    }
    return candidates;
  }

  private static boolean fitInts(List<PointBlock> blocks) {
    for (PointBlock block : blocks) {
      for (int i = 0; i < block.count(); i++) {
        if (block.values()[i] != (int) block.values()[i]) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return type + " " + encoding + (decimals < 0 ? "" : " of " + decimals + " decimals");
  }
}
