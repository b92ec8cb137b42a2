package io.packhorse.schema.packed;

import static io.packhorse.schema.packed.PackedCellDescriptor.CHECKSUM_BYTES;
import static io.packhorse.schema.packed.PackedCellDescriptor.CHECK_BYTES;
import static io.packhorse.schema.packed.PackedCellDescriptor.FROM_BASE;
import static io.packhorse.schema.packed.PackedCellDescriptor.FULL_HOUR;
import static io.packhorse.schema.packed.PackedCellDescriptor.HOLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.JITTER;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_DOUBLES;
import static io.packhorse.schema.packed.PackedCellDescriptor.KIND_LONGS;
import static io.packhorse.schema.packed.PackedCellDescriptor.LIST;
import static io.packhorse.schema.packed.PackedCellDescriptor.REGULAR;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.util.Arrays;
import java.util.List;

/**
 * The fields of a packed cell, for people, and how its times and values are stored. Only cells that
 * decode have a dump. Immutable.
 *
 * @param times how the offsets are stored, without parameters
 * @param values how the values are stored, without parameters
 * @param fields in the order of the bytes, without gaps
 */
public record PackedCellDump(String times, String values, List<CellField> fields) {
  private static final String[] KINDS = {"integers", "doubles", "mixed"};
  private static final String[] TIMES = {
    "full hour", "from base", "regular", "holes", "jitter", "list"
  };
  private static final String PLAIN = "plain";

  public PackedCellDump {
    fields = List.copyOf(fields);
  }

  /**
   * Parses a cell.
   *
   * @param cell only read
   * @throws MalformedCellException if it does not decode
   */
  public static PackedCellDump of(byte[] cell) throws MalformedCellException {
    PointBlock points = new PointBlock(0);
    new PackedCellDecoder().decode(cell, points);
    byte[] bytes = Arrays.copyOf(cell, cell.length + BitPacking.SLACK);
    HeaderScan header = new HeaderScan();
    header.read(new ByteReader(bytes, 0, cell.length), bytes);
    FieldScan scan = new FieldScan(bytes, cell.length);
    if (cell[0] == (byte) PackedCellDescriptor.VERSION_1) {
      scan.skip(1, "version", 1);
      scan.skip(1, "flags", flags(header));
    } else {
      scan.skip(1, "version and flags", "1, " + flags(header));
    }
    return header.plain
        ? plain(header, scan, points, cell.length)
        : general(header, scan, points, cell.length);
  }

  private static String flags(HeaderScan header) {
    return (header.plain ? "plain form" : KINDS[header.kind])
        + (header.milliseconds ? ", milliseconds" : ", seconds")
        + (header.hasStatistics ? ", statistics" : "")
        + (header.checksum ? ", checksum" : "");
  }

  private static PackedCellDump plain(
      HeaderScan header, FieldScan scan, PointBlock points, int length)
      throws MalformedCellException {
    int count = points.count();
    if ((header.flags & PackedCellDescriptor.FLAG_PLAIN_SHORT) == 0) {
      int from = scan.in.position();
      scan.note(from, "count", scan.in.readVarInt());
    }
    int end = length - (header.checksum ? CHECKSUM_BYTES : 0);
    int groupsAt = scan.in.position();
    int valuesAt =
        new PlainForm().read(new ByteReader(scan.bytes, groupsAt, end), scan.bytes, header, points);
    scan.skip(valuesAt - groupsAt, "groups and parts", "times and kinds of " + count + " points");
    scan.skip(end - valuesAt, "values", count + ", each in as few bytes as its kind takes");
    checksum(header, scan);
    return new PackedCellDump(PLAIN, PLAIN, scan.fields());
  }

  private static PackedCellDump general(
      HeaderScan header, FieldScan scan, PointBlock points, int length)
      throws MalformedCellException {
    ByteReader in = scan.in;
    int count = header.count;
    String unit = header.milliseconds ? " ms" : " s";
    int timeAt = in.position();
    int stepCode = in.readByte() & 0x0f;
    scan.note(
        timeAt,
        "time byte",
        TIMES[header.offsets] + (header.step == 0 ? "" : ", step " + header.step + unit));
    if (header.offsets != FULL_HOUR) {
      int from = in.position();
      scan.note(from, "count", in.readVarInt());
    }
    if (header.offsets != LIST && stepCode == 0) {
      int from = in.position();
      scan.note(from, "step", in.readVarInt() + unit);
    }
    if (header.offsets > FROM_BASE && header.offsets != LIST) {
      int from = in.position();
      scan.note(from, "first", in.readVarInt() + unit);
    }
    if (header.hasStatistics) {
      statistics(header, scan);
    }
    if (header.offsets == HOLES || header.offsets == JITTER) {
      scan.slots();
    }
    if (header.offsets == JITTER || header.offsets == LIST) {
      scan.integers(header.offsets == JITTER ? "distances from the slots" : "offsets", count);
    }
    String values =
        switch (header.kind) {
          case KIND_LONGS -> {
            String form = scan.integerForm();
            scan.integers("integers", count);
            yield form;
          }
          case KIND_DOUBLES -> {
            String form = scan.doubleForm();
            scan.doubles("doubles", count);
            yield form;
          }
          default -> {
            scan.integers("kinds", count);
            String form = scan.integerForm();
            scan.integers("integers", count - points.doubles());
            form = "mixed: " + form + " + " + scan.doubleForm();
            scan.doubles("doubles", points.doubles());
            yield form;
          }
        };
    checksum(header, scan);
    if (in.position() != length) {
      throw new IllegalStateException(
          "cell dump: fields end at " + in.position() + ", the cell at " + length);
    }
    return new PackedCellDump(TIMES[header.offsets], values, scan.fields());
  }

  private static void statistics(HeaderScan header, FieldScan scan) throws MalformedCellException {
    if (header.offsets > REGULAR) {
      int from = scan.in.position();
      int first = scan.in.readVarInt();
      int last = first + scan.in.readVarInt();
      scan.note(from, "span", "offsets " + first + " to " + last);
    }
    int from = scan.in.position();
    header.statistics.read(scan.in, header.kind, header.count);
    CellStatistics statistics = header.statistics.statistics(header.kind, header.count);
    scan.note(
        from,
        "statistics",
        "numbers "
            + statistics.numbers()
            + ", first "
            + text(statistics, statistics.first())
            + ", last "
            + text(statistics, statistics.last())
            + ", min "
            + text(statistics, statistics.min())
            + ", max "
            + text(statistics, statistics.max())
            + ", sum "
            + text(statistics, statistics.sum()));
    scan.skip(CHECK_BYTES, "check", "matches the bytes before it");
  }

  private static String text(CellStatistics statistics, long bits) {
    return statistics.integers()
        ? Long.toString(bits)
        : Double.toString(Double.longBitsToDouble(bits));
  }

  private static void checksum(HeaderScan header, FieldScan scan) throws MalformedCellException {
    if (header.checksum) {
      scan.skip(CHECKSUM_BYTES, "checksum", "CRC32C, matches the bytes before it");
    }
  }
}
