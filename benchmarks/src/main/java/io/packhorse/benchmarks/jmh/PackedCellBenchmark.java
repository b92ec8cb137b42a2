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

  /** More than branch predictors learn by heart. */
  private static final int BLOCKS = 16;

  /** walk50: steps uniform in -50..50; decimal: the same walk in hundredths, as doubles. */
  @Param({"walk50", "decimal"})
  public String shape = "walk50";

  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock back = new PointBlock();
  private final PointBlock[] blocks = new PointBlock[BLOCKS];
  private final byte[][] cells = new byte[BLOCKS][];
  private int next;

  /** Fills the blocks and checks the round trip. */
  @Setup
  public void fill() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(1);
    long value = 0;
    for (int b = 0; b < BLOCKS; b++) {
      PointBlock block = new PointBlock(POINTS);
      for (int i = 0; i < POINTS; i++) {
        value += random.nextInt(-50, 51);
        if (shape.equals("decimal")) {
          block.addDouble(i * 1000, Double.doubleToRawLongBits(value / 100.0));
        } else {
          block.addLong(i * 1000, value);
        }
      }
      blocks[b] = block;
      cells[b] = encoder.encode(block);
      decoder.decode(cells[b], back);
      if (!block.equals(back)) {
        throw new IllegalStateException("round trip failed: " + shape);
      }
    }
  }

  /** Nanoseconds a point. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public byte[] encode() {
    next = (next + 1) % BLOCKS;
    return encoder.encode(blocks[next]);
  }

  /** Nanoseconds a point, times and checksum included. */
  @Benchmark
  @OperationsPerInvocation(POINTS)
  public PointBlock decode() throws MalformedCellException {
    next = (next + 1) % BLOCKS;
    decoder.decode(cells[next], back);
    return back;
  }
}
