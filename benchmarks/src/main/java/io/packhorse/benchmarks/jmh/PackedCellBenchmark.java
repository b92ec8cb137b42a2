package io.packhorse.benchmarks.jmh;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellEncoder;
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

/** What does a point cost to pack and to unpack, in a full hour of one-second points? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PackedCellBenchmark {
  private static final int POINTS = 3600;

  /** walk50: steps uniform in -50..50; decimal: the same walk in hundredths, as doubles. */
  @Param({"walk50", "decimal"})
  public String shape = "walk50";

  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock block = new PointBlock();
  private final PointBlock back = new PointBlock();
  private byte[] cell = {};

  /** Fills the block and checks the round trip. */
  @Setup
  public void fill() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(1);
    long value = 0;
    block.clear();
    for (int i = 0; i < POINTS; i++) {
      value += random.nextInt(-50, 51);
      if (shape.equals("decimal")) {
        block.addDouble(i * 1000, Double.doubleToRawLongBits(value / 100.0));
      } else {
        block.addLong(i * 1000, value);
      }
    }
    cell = encoder.encode(block);
    decoder.decode(cell, back);
    if (!block.equals(back)) {
      throw new IllegalStateException("round trip failed: " + shape);
    }
  }

  /** Nanoseconds a point. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public byte[] encode() {
    return encoder.encode(block);
  }

  /** Nanoseconds a point, times and checksum included. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public PointBlock decode() throws MalformedCellException {
    decoder.decode(cell, back);
    return back;
  }
}
