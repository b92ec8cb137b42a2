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
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.InputSource;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the points of one file take as packed cells, and as OpenTSDB's compacted ones. A load's own
 * packer cuts them into hours and makes compacted cells; each is read again, packed, and the packed
 * cell read again in its turn, so that every bit has gone through both forms. One thread.
 */
public final class Estimate {
  /** Number of the series of a file without names. */
  public static final int ONLY_SERIES = 0;

  /** Four bytes of metric take every number that a series can have. */
  private static final RowKeyLayout KEYS =
      new RowKeyLayout(new UidWidths(4, 1, 1), SaltFunction.NONE);

  private static final int REASONS_MAX = 3;

  private final String file;
  private final SeriesNames names;
  private final PackedSize packed = new PackedSize();
  private final PointBlock block = new PointBlock();
  private long points;
  private long cells;
  private long compactedBytes;

  /**
   * Reads and packs an input.
   *
   * @param formats of it
   * @param names gets its series; stays empty if there is only the one without a name
   * @param points gets what is read
   * @param rejects of {@code points}
   * @throws InputException if the input has no data points
   */
  public static Result of(
      Input input, InputFormats formats, SeriesNames names, Points points, Rejects rejects)
      throws IOException, InterruptedException {
    try (ScratchHours scratch = new ScratchHours();
        InputSource from = new InputSource(List.of(input), formats, points)) {
      Estimate estimate = new Estimate(input.name(), names);
      HourPacker packer = estimate.packer(scratch);
      for (PointBatch batch = from.next(); batch != null; batch = from.next()) {
        packer.accept(batch);
      }
      packer.finish();
      if (estimate.points == 0) {
        throw new InputException(
            "No data points were found in " + input.name() + why(rejects, points.leftOut()));
      }
      return estimate.result(packer, rejects);
    }
  }

  private Estimate(String file, SeriesNames names) {
    this.file = file;
    this.names = names;
  }

  /** A packer whose cells are counted. */
  private HourPacker packer(ScratchHours scratch) throws IOException {
    return new HourPacker(
        CellForm.COMPACTED,
        KEYS,
        series -> Tsuid.of(KEYS.widths(), series + 1L, 1, 1),
        SealPolicy.AT_THE_END,
        new PackerContext() {
          @Override
          public LoaderId newLoaderId() {
            return new LoaderId(1, 0);
          }

          @Override
          public void write(CellWrite cell) {
            add(cell);
          }

          @Override
          public Path newHourFile() throws IOException {
            return scratch.next();
          }
        });
  }

  private void add(CellWrite cell) {
    try {
      CompactedCell.decode(cell.qualifier(), cell.value(), block);
    } catch (MalformedCellException e) {
      throw new IllegalStateException("OpenTSDB's form cannot be read back: " + place(cell), e);
    }
    if (block.count() != cell.points()) {
      throw new IllegalStateException("OpenTSDB's form lost points: " + place(cell));
    }
    packed.add(block, () -> place(cell));
    cells++;
    points += block.count();
    compactedBytes += cell.qualifier().length + cell.value().length;
  }

  private String place(CellWrite cell) {
    try {
      // Without salt, the metric comes first.
      int series = ByteBuffer.wrap(cell.rowKey()).getInt() - 1;
      return name(series)
          + (names.size() == 0 ? "" : " ")
          + "in the hour from "
          + Instant.ofEpochSecond(KEYS.baseTimeSeconds(cell.rowKey()))
          + " of "
          + file;
    } catch (MalformedCellException e) {
      throw new IllegalStateException(e);
    }
  }

  private String name(int series) {
    return names.size() == 0 ? "" : names.get(series).toString();
  }

  /** Why an input has no point, and which options may help; empty if it has no lines. */
  private static String why(Rejects rejects, long leftOut) {
    StringBuilder why = new StringBuilder();
    if (leftOut > 0) {
      why.append(": ").append(HumanNumbers.count(leftOut));
      why.append(" left out, because they hold no value or the options do not want them");
    }
    if (rejects.total() == 0) {
      return why.toString();
    }
    boolean alone = rejects.byReason().containsKey(Rejects.Reason.NOT_TWO_WORDS);
    why.append(leftOut > 0 ? "; " : ": ").append(reasons(rejects)).append(". The first is\n  ");
    why.append(rejects.first().get(0)).append('\n');
    return why.append(alone ? "Values alone need --interval. " : "")
        .append("The line 'input' says how the file was read. State another way with --format, and")
        .append(" of a table with --time-column, --timestamp-format, --value and --tag")
        .toString();
  }

  /** The most frequent reasons with their counts. */
  private static String reasons(Rejects rejects) {
    return rejects.byReason().entrySet().stream()
        .sorted(Map.Entry.<Rejects.Reason, Long>comparingByValue().reversed())
        .limit(REASONS_MAX)
        .map(each -> HumanNumbers.count(each.getValue()) + " rejected: " + each.getKey())
        .collect(Collectors.joining("; "));
  }

  private Result result(HourPacker packer, Rejects rejects) {
    return new Result(
        file,
        points,
        Math.max(1, names.size()),
        cells,
        packer.replacedPoints(),
        Replaced.of(packer.sealedAgain().isEmpty(), packer.firstReplaced(), this::name),
        rejects.total(),
        rejects.first(),
        packed.bytes(),
        compactedBytes,
        packed.times(),
        packed.values());
  }

  /**
   * What the points of a file take. Bytes are those of qualifiers and values.
   *
   * @param hours of all series that have points; each is a cell
   * @param replaced points that a later one of the same time replaces; they are not among the
   *     points
   * @param howReplaced what else is known of them
   * @param rejected lines
   * @param firstRejects a few of them, each a line for people
   * @param times how times are encoded, and in how many cells; the most frequent first
   * @param values how values are encoded, in the same way
   */
  public record Result(
      String file,
      long points,
      int series,
      long hours,
      long replaced,
      Replaced howReplaced,
      long rejected,
      List<String> firstRejects,
      long packedBytes,
      long compactedBytes,
      Map<String, Long> times,
      Map<String, Long> values) {
    public double packedBytesPerPoint() {
      return (double) packedBytes / points;
    }

    public double compactedBytesPerPoint() {
      return (double) compactedBytes / points;
    }

    /** How many times smaller packed cells are than compacted ones. */
    public double timesSmaller() {
      return (double) compactedBytes / packedBytes;
    }

    /** For programs. */
    public Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("file", file);
      json.put("points", points);
      json.put("series", series);
      json.put("hours", hours);
      json.put("replaced", replaced);
      howReplaced.putInto(json);
      json.put("rejected", rejected);
      json.put("packed_bytes_per_point", packedBytesPerPoint());
      json.put("opentsdb_bytes_per_point", compactedBytesPerPoint());
      json.put("packed_times_smaller", timesSmaller());
      json.put("bit_exact", true);
      json.put("packed_times", times);
      json.put("packed_values", values);
      return json;
    }
  }
}
