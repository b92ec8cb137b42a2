package io.packhorse.spark;

import io.packhorse.loader.load.SpreadSeries;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The series of a load on their way to the tasks, of which each fetches those of its own input.
 * Each task has an instance of its own; one thread.
 */
final class SentSeries implements Serializable {
  private static final long serialVersionUID = 1;

  /** Numbers in the load of the series of all inputs, one input after the other. */
  private final SentRecords numbers;

  /** By input: where its series begin among those of all inputs. */
  private final long[] starts;

  /** By number: the length of the TSUID in a byte, then the TSUID. */
  private final SentRecords tsuids;

  private SentSeries(SentRecords numbers, long[] starts, SentRecords tsuids) {
    this.numbers = numbers;
    this.starts = starts;
    this.tsuids = tsuids;
  }

  /** Sends series. */
  static SentSeries of(JavaSparkContext spark, SpreadSeries series) {
    int[][] ofInputs = series.ofInputs();
    long[] starts = new long[ofInputs.length + 1];
    for (int input = 0; input < ofInputs.length; input++) {
      starts[input + 1] = starts[input] + ofInputs[input].length;
    }
    int longest = 0;
    for (int number = 0; number < series.count(); number++) {
      longest = Math.max(longest, series.tsuids().apply(number).length());
    }
    return new SentSeries(
        SentRecords.of(spark, Integer.BYTES, starts[ofInputs.length], new Numbers(ofInputs)),
        starts,
        SentRecords.of(
            spark,
            1 + longest,
            series.count(),
            (number, to) -> {
              byte[] tsuid = series.tsuids().apply((int) number).toBytes();
              to.put((byte) tsuid.length).put(tsuid);
            }));
  }

  /** Takes numbers from one input after the other. */
  private static final class Numbers implements SentRecords.Source {
    private final int[][] ofInputs;
    private int input;
    private int next;

    Numbers(int[][] ofInputs) {
      this.ofInputs = ofInputs;
    }

    @Override
    public void put(long index, ByteBuffer to) {
      while (next == ofInputs[input].length) {
        input++;
        next = 0;
      }
      to.putInt(ofInputs[input][next++]);
    }
  }

  /** Number in the load of a series of an input. */
  int number(int input, int series) {
    return numbers.get(starts[input] + series).getInt();
  }

  /** TSUID of the series with a number in the load. */
  byte[] tsuid(int number) {
    ByteBuffer from = tsuids.get(number);
    byte[] tsuid = new byte[Byte.toUnsignedInt(from.get())];
    from.get(tsuid);
    return tsuid;
  }

  /** Frees what the executors hold of it. */
  void destroy() {
    numbers.destroy();
    tsuids.destroy();
  }
}
