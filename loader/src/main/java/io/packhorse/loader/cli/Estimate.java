package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.ScratchHours;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.Effort;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What the points of one file take as packed cells, and as OpenTSDB's compacted ones. A load's own
 * packer cuts them into hours and makes compacted cells; each is read again, packed, and the packed
 * cell read again in its turn, so that every bit has gone through both forms. One thread.
 */
final class Estimate {
  /** Number of the series of a file without names. */
  static final int ONLY_SERIES = 0;

  /** Characters of a line of forms, or a little more. */
  private static final int FORMS_WIDTH = 160;

  /** Four bytes of metric take every number that a series can have. */
  private static final RowKeyLayout KEYS =
      new RowKeyLayout(new UidWidths(4, 1, 1), SaltFunction.NONE);

  private final String file;
  private final SeriesNames names;
  private final List<PackedSize> sizes =
      List.of(
          new PackedSize("fast", new PackedCellEncoder(Effort.FAST)),
          new PackedSize("compact", new PackedCellEncoder(Effort.COMPACT)));
  private final PointBlock block = new PointBlock();
  private long points;
  private long cells;
  private long compactedBytes;
  private long replaced;
  private long rejected;

  /**
   * @param names of the series; stays empty if there is only the one without a name
   */
  Estimate(String file, SeriesNames names) {
    this.file = file;
    this.names = names;
  }

  /**
   * A packer whose cells count here; {@link #finish} ends it.
   *
   * @param scratch closed after it
   */
  HourPacker packer(ScratchHours scratch) throws IOException {
    return new HourPacker(
        CellForm.COMPACTED,
        KEYS,
        series -> Tsuid.of(KEYS.widths(), series + 1L, 1, 1),
        SealPolicy.FILES,
        new HourPacker.Surroundings() {
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
    for (PackedSize size : sizes) {
      size.add(block, () -> place(cell));
    }
    cells++;
    points += block.count();
    compactedBytes += cell.qualifier().length + cell.value().length;
  }

  private String place(CellWrite cell) {
    try {
      // Without salt, the metric comes first.
      int series = ByteBuffer.wrap(cell.rowKey()).getInt() - 1;
      String name = names.size() == 0 ? "" : names.get(series) + " ";
      return name
          + "in the hour from "
          + Instant.ofEpochSecond(KEYS.baseTimeSeconds(cell.rowKey()))
          + " of "
          + file;
    } catch (MalformedCellException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Notes what became of the rest of the lines. */
  void finish(HourPacker packer, long rejectedLines) {
    replaced = packer.replacedPoints();
    rejected = rejectedLines;
  }

  /** Points packed. */
  long points() {
    return points;
  }

  private double perPoint(long bytes) {
    return (double) bytes / points;
  }

  private int series() {
    return Math.max(1, names.size());
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("file", file);
    json.put("points", points);
    json.put("series", series());
    json.put("hours", cells);
    json.put("replaced", replaced);
    json.put("rejected", rejected);
    for (PackedSize size : sizes) {
      json.put(size.effort() + "_bytes_per_point", perPoint(size.bytes()));
    }
    json.put("opentsdb_bytes_per_point", perPoint(compactedBytes));
    for (PackedSize size : sizes) {
      json.put(size.effort() + "_times_smaller", (double) compactedBytes / size.bytes());
    }
    json.put("bit_exact", true);
    for (PackedSize size : sizes) {
      json.put(size.effort() + "_times", size.times());
      json.put(size.effort() + "_values", size.values());
    }
    return json;
  }

  void print(PrintWriter out) {
    out.println(file);
    out.printf(
        "  points     %s in %s of %s series%s%n",
        Figures.count(points),
        cells == 1 ? "1 hour" : Figures.count(cells) + " hours",
        Figures.count(series()),
        replaced == 0 ? "" : ", and " + Figures.count(replaced) + " replaced by later ones");
    for (PackedSize size : sizes) {
      double smaller = (double) compactedBytes / size.bytes();
      out.printf(
          Locale.ROOT,
          "  %-9s  %s bytes/point, %.1f times %s than OpenTSDB's%n",
          size.effort(),
          Figures.ratio(perPoint(size.bytes())),
          Math.max(smaller, 1 / smaller),
          smaller < 1 ? "larger" : "smaller");
      print("times", size.times(), out);
      print("values", size.values(), out);
    }
    out.printf("  opentsdb   %s bytes/point, compacted%n", Figures.ratio(perPoint(compactedBytes)));
    out.println("  checked    every bit of every point came back");
  }

  private static void print(String what, Map<String, Long> forms, PrintWriter out) {
    StringJoiner text = new StringJoiner("; ");
    int more = 0;
    for (Map.Entry<String, Long> form : forms.entrySet()) {
      if (text.length() < FORMS_WIDTH) {
        text.add(form.getKey() + " " + Figures.count(form.getValue()));
      } else {
        more++;
      }
    }
    out.printf("    %-7s  %s%s%n", what, text, more == 0 ? "" : "; and " + more + " more forms");
  }
}
