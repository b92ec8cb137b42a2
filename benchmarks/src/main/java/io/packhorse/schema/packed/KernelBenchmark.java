package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a point cost in the loops that packing and unpacking are made of? The loops are the
 * package's own, so this lives in a package of the same name.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class KernelBenchmark {
  private static final int POINTS = 3600;
  private static final long MIN = -50;

  /** The numbers are uniform over this many values; fields have the width of the largest. */
  @Param({"3", "21", "101", "1000", "1000000"})
  public int radix = 101;

  private final long[] numbers = new long[POINTS];
  private final long[] back = new long[POINTS];
  private final ByteWriter packed = new ByteWriter(8 * POINTS);
  private final ByteReader reader = new ByteReader(new byte[0], 0, 0);
  private byte[] words = {};
  private byte[] fields = {};
  private int width;

  /** Packs the numbers and checks that each kernel gives them back. */
  @Setup
  public void fill() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < POINTS; i++) {
      numbers[i] = MIN + random.nextInt(radix);
    }
    width = BitPacking.width(radix - 1L);
    words = bytesOf(radixPack());
    fields = bytesOf(fieldsPack());
    check(radixUnpack(), false);
    check(fieldsUnpack(), false);
    check(radixUnpackSums(), true);
  }

  private static byte[] bytesOf(ByteWriter written) {
    return Arrays.copyOf(written.array(), written.length() + BitPacking.SLACK);
  }

  private void check(long[] found, boolean sums) {
    long sum = 0;
    for (int i = 0; i < POINTS; i++) {
      sum = sums ? sum + numbers[i] : numbers[i];
      if (found[i] != sum) {
        throw new IllegalStateException("wrong number: index=" + i + ", found=" + found[i]);
      }
    }
  }

  /** Min, max and sum of the numbers, and their differences with min and max by block. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public long scan(Scans scans) {
    scans.values.ofValues(numbers, POINTS, scans.differences);
    return scans.values.sum() + scans.differences.min();
  }

  /** Radix words from numbers. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public ByteWriter radixPack() {
    packed.reset();
    RadixWords.pack(numbers, 0, POINTS, MIN, radix, packed);
    return packed;
  }

  /** Numbers from radix words. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public long[] radixUnpack() throws MalformedCellException {
    reader.reset(words, 0, words.length - BitPacking.SLACK);
    RadixWords.unpack(reader, words, POINTS, radix, back, 0);
    BitPacking.add(back, 0, POINTS, MIN);
    return back;
  }

  /** Running sums of numbers from radix words. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public long[] radixUnpackSums() throws MalformedCellException {
    reader.reset(words, 0, words.length - BitPacking.SLACK);
    RadixWords.unpackSums(reader, words, POINTS, MIN, radix, 0, back, 0);
    return back;
  }

  /** Bit fields from numbers. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public ByteWriter fieldsPack() {
    packed.reset();
    BitPacking.pack(numbers, 0, POINTS, MIN, width, packed);
    return packed;
  }

  /** Numbers from bit fields. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public long[] fieldsUnpack() throws MalformedCellException {
    reader.reset(fields, 0, fields.length - BitPacking.SLACK);
    BitPacking.unpack(reader, fields, POINTS, MIN, width, back, 0);
    return back;
  }

  /** Numbers over a power of ten. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public double quotients() {
    double max = 0;
    for (long number : numbers) {
      double quotient = Decimals.quotient(Decimals.asDouble(number), 2);
      max = quotient > max ? quotient : max;
    }
    return max;
  }

  /** What a scan fills. */
  @State(Scope.Thread)
  public static class Scans {
    private final Residuals values = new Residuals();
    private final Residuals differences = new Residuals();
  }
}
