package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.FloatBits;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Writes the vectors that are not there yet, and the file of their checksums. Vectors are never
 * changed: to add some, add them here and run this class in the module's folder.
 */
final class VectorWriter {
  private static final int END = -1;

  private final SplittableRandom random = new SplittableRandom(2012);

  private VectorWriter() {}

  public static void main(String[] args) throws Exception {
    VectorWriter writer = new VectorWriter();
    writer.valid();
    writer.flagsInTheFirstByte();
    writer.malformed();
    Files.writeString(Vector.ROOT.resolve("SHA256SUMS"), sums());
  }

  /** What the checksum file must hold. */
  static String sums() throws IOException, NoSuchAlgorithmException {
    StringBuilder sums = new StringBuilder();
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String folder : new String[] {"malformed", "valid"}) {
      List<Path> files;
      try (Stream<Path> found = Files.list(Vector.ROOT.resolve(folder))) {
        files = found.sorted().toList();
      }
      for (Path file : files) {
        sums.append(HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file))))
            .append("  ")
            .append(folder)
            .append('/')
            .append(file.getFileName())
            .append('\n');
      }
    }
    return sums.toString();
  }

  private interface Bits {
    long at(int i);
  }

  private static long decimal(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static PointBlock longs(int count, int stepMs, Bits bits) {
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      block.addLong(i * stepMs, bits.at(i));
    }
    return block;
  }

  private static PointBlock doubles(int count, int stepMs, Bits bits) {
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      block.addDouble(i * stepMs, bits.at(i));
    }
    return block;
  }

  private static PointBlock at(int[] offsetsMs) {
    PointBlock block = new PointBlock(offsetsMs.length);
    for (int offset : offsetsMs) {
      block.addLong(offset, 1);
    }
    return block;
  }

  private void valid() throws Exception {
    write("one-point", "the smallest cell", longs(1, 1000, i -> 1));
    write("constant-hour", "a full hour of minutes, constant", longs(60, 60_000, i -> -3));
    write("counter", "order 1, constant", longs(30, 1000, i -> 1_000_000L * i));
    write("curve", "order 2", longs(40, 1000, i -> 5L * i * i + (i & 1)));
    write("fields", "order 0, fields", longs(20, 1000, i -> random.nextInt(256)));
    write(
        "blocks-64",
        "a block of zigzag fields of 64 bits",
        longs(20, 1000, i -> random.nextLong()));
    write("radix", "order 0, radix, a shorter word at the end", longs(20, 1000, this::below100));
    long[] walk = walk(101, 90);
    write("radix-walk", "order 1, radix", longs(90, 10_000, i -> walk[i]));
    write("blocks", "blocks of zigzag fields, radix and frame", longs(390, 1000, this::bursts));
    write("outliers", "a block with outliers", longs(100, 1000, this::outliers));
    write("steps", "steps of one", longs(60, 60_000, i -> i < 20 ? 5 : i < 23 ? 6 : 5));
    write(
        "steps-common",
        "steps, common residual and values written",
        longs(60, 60_000, i -> 7L * i + (i > 30 ? 1000 : 0)));
    long[] levels = random.longs(6).toArray();
    write("dictionary", "few doubles at random", doubles(64, 1000, i -> level(levels)));
    long[] runs = random.longs(9).map(v -> v >> 12).toArray();
    write("runs", "runs of large values", longs(120, 1000, i -> runs[i / 14]));
    write("lengths", "all magnitudes", longs(60, 1000, i -> random.nextLong() >> (i % 60)));
    write("decimals", "hundredths", doubles(30, 1000, i -> decimal(below100(i) / 100.0)));
    write("others", "decimals, one NaN with a payload", doubles(40, 1000, this::oneNan));
    write("floats", "decimals of floats", doubles(30, 1000, this::floatTenth));
    write("floats-others", "the same and one -0.0", doubles(40, 1000, this::floatsAndZero));
    write("ordered", "a smooth curve in full", doubles(30, 1000, i -> decimal(Math.exp(i / 99.0))));
    write("shifted", "low bits all 0, both signs", doubles(30, 1000, this::shifted));
    write("split", "exponents of many kinds", doubles(64, 1000, this::manyExponents));
    write("special", "infinities, subnormals, NaN", doubles(8, 1000, this::special));
    write("regular", "regular from second 7", shift(longs(9, 13_000, i -> i), 7000));
    write("holes", "a hole", at(new int[] {0, 1000, 2000, 7000, 8000, 9000, 10_000, 11_000}));
    write("jitter", "a grid and delays in milliseconds", jitter(40));
    write("list", "seconds at random", at(sorted(40, 3600, 1000)));
    write("list-ms", "milliseconds at random", at(sorted(40, 3_600_000, 1)));
    write("mixed", "both kinds", mixed(40));
    write("plain-short", "plain, seconds, all kinds of values", wild(7, false));
    write("plain-short-ms", "plain, milliseconds", wild(9, true));
    write("plain-long", "plain, more than 14 points", wild(16, false));
    write("plain-long-ms", "plain, parts by their distance", wild(16, true));
    write("plain-checked", "plain with a checksum", wild(70, true));
    write("checksum", "64 points and a checksum", longs(64, 1000, i -> walk[i]));
    write("statistics", "statistics of integers", longs(360, 10_000, i -> walk[i % 90]));
    write(
        "statistics-decimals",
        "statistics of decimals, times in the header",
        holes(doubles(300, 10_000, i -> decimal(walk[i % 90] / 10.0))));
    write(
        "statistics-raw",
        "statistics of full doubles, one NaN",
        doubles(
            256,
            1000,
            i -> i == 9 ? 0x7ff8_0000_0000_0000L : decimal(Math.cbrt((double) walk[i % 90]))));
  }

  /** The cells of before that now begin with their flags, each beside what it was. */
  private void flagsInTheFirstByte() throws Exception {
    for (Vector vector : Vector.all("valid")) {
      byte[] cell = vector.cell();
      if (cell[0] == (byte) PackedCellDescriptor.VERSION_1 && (cell[1] & 0xff) < 8) {
        write(vector.file().replace(".vector", "-flags-first"), vector.why(), vector.points());
      }
    }
  }

  private long below100(int i) {
    return random.nextInt(100);
  }

  private long level(long[] levels) {
    return levels[random.nextInt(levels.length)] >>> 2;
  }

  private long[] walk(int range, int count) {
    long[] walk = new long[count];
    for (int i = 1; i < count; i++) {
      walk[i] = walk[i - 1] + random.nextInt(range) - range / 2;
    }
    return walk;
  }

  private long bursts(int i) {
    return i < 128
        ? 100 + random.nextInt(5)
        : i < 256 ? -random.nextInt(1 << 20) : (1L << 40) | (i & 7);
  }

  private long outliers(int i) {
    return i % 33 == 9 ? random.nextLong() >> 20 : random.nextInt(8);
  }

  private long oneNan(int i) {
    return i == 17 ? 0x7ff0_dead_0000_0001L : decimal(below100(i) / 1000.0);
  }

  private long floatTenth(int i) {
    return FloatBits.widen(Float.floatToRawIntBits(below100(i) / 10f));
  }

  private long floatsAndZero(int i) {
    return i == 3 ? Long.MIN_VALUE : floatTenth(i);
  }

  private long shifted(int i) {
    return ((random.nextLong() >>> 34) << 22) | (i % 3 == 0 ? 0xC01L << 52 : 0x401L << 52);
  }

  private long manyExponents(int i) {
    return (random.nextLong() >>> 12) | ((long) (1023 - Math.min(9, random.nextInt(20))) << 52);
  }

  private long special(int i) {
    return new long[] {
          Long.MIN_VALUE,
          1,
          Long.MIN_VALUE | 1,
          decimal(Double.MAX_VALUE),
          decimal(Double.POSITIVE_INFINITY),
          decimal(Double.NEGATIVE_INFINITY),
          0x7ff0_0000_0000_0001L,
          -1L
        }
        [i];
  }

  private static PointBlock shift(PointBlock block, int byMs) {
    PointBlock shifted = new PointBlock(block.count());
    for (int i = 0; i < block.count(); i++) {
      shifted.add(block.offsetsMs()[i] + byMs, block.values()[i], block.isDouble()[i]);
    }
    return shifted;
  }

  private static PointBlock holes(PointBlock block) {
    PointBlock fewer = new PointBlock(block.count());
    for (int i = 0; i < block.count(); i++) {
      if (i != 100 && i != 200) {
        fewer.add(block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
      }
    }
    return fewer;
  }

  private PointBlock jitter(int count) {
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      block.addLong((i + i / 20) * 15_000 + random.nextInt(30), 1);
    }
    return block;
  }

  private int[] sorted(int count, int below, int unitMs) {
    return random.ints(0, below).distinct().limit(count).sorted().map(o -> o * unitMs).toArray();
  }

  private PointBlock mixed(int count) {
    PointBlock block = new PointBlock(count);
    for (int i = 0; i < count; i++) {
      boolean isDouble = i % 7 == 2;
      block.add(i * 1000, isDouble ? decimal(i / 4.0) : i, isDouble);
    }
    return block;
  }

  private PointBlock wild(int count, boolean milliseconds) {
    PointBlock block = new PointBlock(count);
    int[] seconds = sorted(count, 3600, 1000);
    for (int i = 0; i < count; i++) {
      int part = milliseconds && i % 3 == 1 ? 1 + random.nextInt(999) : 0;
      if (random.nextInt(3) > 0) {
        block.addLong(seconds[i] + part, random.nextLong() >> (8 * random.nextInt(8)));
      } else if (random.nextBoolean()) {
        block.addDouble(seconds[i] + part, FloatBits.widen((int) random.nextLong()));
      } else {
        block.addDouble(seconds[i] + part, random.nextLong() >>> 2);
      }
    }
    return block;
  }

  private static void write(String name, String why, PointBlock block) throws Exception {
    Path file = Vector.ROOT.resolve("valid").resolve(name + ".vector");
    if (Files.exists(file)) {
      return;
    }
    Vector vector = new Vector(name, why, block, -1, new PackedCellEncoder().encode(block));
    boolean flagsFirst = vector.cell()[0] != (byte) PackedCellDescriptor.VERSION_1;
    List<Integer> ends = new ArrayList<>(flagsFirst ? List.of(1) : List.of(1, 2));
    List<String> remarks =
        new ArrayList<>(flagsFirst ? List.of("version and flags") : List.of("version", "flags"));
    fields(vector.cell(), ends, remarks);
    Files.createDirectories(file.getParent());
    Files.writeString(file, vector.text(ends, remarks), StandardCharsets.UTF_8);
  }

  /** Where header and body end, and what the body begins with. */
  private static void fields(byte[] cell, List<Integer> ends, List<String> remarks)
      throws MalformedCellException {
    byte[] padded = Arrays.copyOf(cell, cell.length + BitPacking.SLACK);
    io.packhorse.schema.bytes.ByteReader in =
        new io.packhorse.schema.bytes.ByteReader(padded, 0, cell.length);
    HeaderScan header = new HeaderScan();
    header.read(in, padded);
    int body = in.position();
    if (!header.plain) {
      ends.add(ends.get(ends.size() - 1) + 1);
      remarks.add("time: encoding " + header.offsets + ", step " + header.step);
    }
    if (body > ends.get(ends.size() - 1)) {
      ends.add(body);
      remarks.add(
          header.hasStatistics ? "rest of the header, statistics, check" : "rest of the header");
    }
    int end = cell.length - (header.checksum ? PackedCellDescriptor.CHECKSUM_BYTES : 0);
    if (!header.plain && header.offsets > PackedCellDescriptor.REGULAR) {
      new OffsetReader()
          .read(
              in,
              padded,
              header,
              new IntegerReader(),
              new long[header.count],
              new int[header.count]);
      ends.add(in.position());
      remarks.add("offsets");
    }
    int tagAt = in.position();
    if (!header.plain && header.kind != PackedCellDescriptor.KIND_MIXED) {
      ends.add(tagAt + 1);
      remarks.add("tag of the values");
    }
    ends.add(end);
    remarks.add(header.plain ? "groups, parts, values" : "values");
    if (header.checksum) {
      ends.add(cell.length);
      remarks.add("checksum");
    }
  }

  private void malformed() throws Exception {
    bad("empty", "no byte at all", 0, "");
    bad("version-newer", "a newer version", 0, "A2 00 11 01 00 02");
    bad("version-none", "no packed cell", 0, "00 00 11 01 00 02");
    bad("flags-first-kind-3", "kind 3 in the first byte", 0, "C3 11 01 00 02");
    bad("flags-first-none", "a first byte of no meaning", 0, "C8 11 01 00 02");
    bad("flags-first-flipped", "a bit off the version", 0, "B1 11 01 00 02");
    bad("flags-first-time", "offset encoding 6", 1, "C0 61 01 00 02");
    bad("flags-first-cut", "the cell ends behind the first byte", 1, "C4");
    bad("flags-reserved", "a flag of no meaning", 1, "A1 20 11 01 00 02");
    bad("flags-kind-3", "kind 3 without checksum", 1, "A1 03 11 01 00 02");
    bad("flags-short-gap", "a short count of no meaning", 1, "A1 90 00 00 2A");
    bad("time-unknown", "offset encoding 6", 2, "A1 00 61 01 00 02");
    bad("time-list-step", "a list with a step", 2, "A1 00 51 01 00 02 00 02");
    bad("count-0", "no point", 3, "A1 00 11 00 00 02");
    bad("count-65537", "too many points", 3, "A1 00 11 81 80 04 00 02");
    bad("count-long", "a varint with a byte too many", 3, "A1 00 11 81 00 00 02");
    bad("count-cut", "the cell ends in the count", 3, "A1 00 11 80");
    bad("step-0", "step 0", 4, "A1 00 10 02 00 00 02");
    bad("step-hour", "a step of 3,600,000", 4, "A1 00 10 02 80 DD DB 01 00 02");
    bad("full-hour-full", "3,600,000 points", 2, "A1 04 01 00 02");
    bad("last-outside", "61 minutes", 2, "A1 00 18 3D 00 02");
    bad("first-outside", "first offset 3600 s", 2, "A1 00 21 01 90 1C 00 02");
    bad("holes-many", "as many holes as points", 5, "A1 00 31 02 00 02 01 01 01 01 00 02");
    bad("holes-empty", "a run of no slots", 6, "A1 00 31 03 00 01 00 01 00 02");
    bad("list-falls", "offsets that fall", 4, "A1 00 50 02 04 00 01 01 00 02");
    bad("tag-unknown", "coder 6", 4, "A1 00 11 02 18 02");
    bad("tag-coder-5", "the first coder of no meaning", 4, "A1 00 11 02 14 02");
    bad("tag-values-3", "the first coder of values of no meaning", 4, "A1 00 11 02 0F 02");
    bad("tag-high", "a high bit of the tag", 4, "A1 00 11 02 20 02");
    bad("order-high", "order 2 of two points", 4, "A1 00 11 02 02 02 02 02");
    bad("width-65", "fields of 65 bits", 6, "A1 00 11 02 04 00 41");
    bad("fields-cut", "fields past the end", 7, "A1 00 11 02 04 00 08 01");
    bad("fields-padding", "padding of 1", 7, "A1 00 11 02 04 00 02 10");
    bad("radix-2", "R = 2", 6, "A1 00 11 02 08 00 02 00");
    bad("radix-large", "R = 1,048,577", 6, "A1 00 11 02 08 00 81 80 40 00");
    bad("block-unknown", "block byte 67", 5, "A1 00 11 02 0C 43 00");
    bad("block-outliers-0", "no outliers", 6, "A1 00 11 02 0C 80 00");
    bad("block-outlier-0", "an outlier of 0", 8, "A1 00 11 02 0C 80 01 00 00");
    bad("block-outlier-place", "an outlier behind the block", 7, "A1 00 11 02 0C 80 01 02 01");
    bad("steps-0", "no steps", 5, "A1 00 11 02 10 00 00");
    bad("steps-outside", "a step behind the run", 5, "A1 00 11 02 10 00 01 06");
    bad("golomb-long", "63 zeros", 7, "A1 00 11 02 10 00 01 00 00 00 00 00 00 00 80 00");
    bad("dictionary-0", "no entries", 5, "A1 00 11 02 03 00 00 00 00 00");
    bad("dictionary-id", "an id of no entry", 8, "A1 00 11 02 03 01 00 54 00 02");
    bad(
        "dictionary-nested",
        "a dictionary in a dictionary",
        6,
        "A1 00 11 02 03 01 03 01 00 02 00 00");
    bad("runs-short", "runs that end early", 8, "A1 00 11 03 07 01 00 54 00 02");
    bad("runs-long", "runs that go on", 8, "A1 00 11 03 07 01 00 54 00 06");
    bad("lengths-cut", "a value that is cut", 6, "A1 00 11 01 0B 01 05");
    bad("double-form", "form 7 of doubles", 4, "A1 01 11 02 07 00 02");
    bad("double-exponent", "ordered bits with an exponent", 4, "A1 01 11 02 14 00 02");
    bad("mantissa", "a mantissa of 2^51", 4, "A1 01 11 02 00 00 80 80 80 80 80 80 80 08");
    bad("others-0", "no others", 7, "A1 01 11 02 01 00 02 00");
    bad("shift-0", "no bits shifted", 5, "A1 01 11 02 05 00 00 02");
    bad("mixed-one-kind", "a mixed cell of integers", 4, "A1 02 11 02 00 00 00 02");
    bad("mixed-kind-2", "a kind of 2", 4, "A1 02 11 02 04 00 02 08 00 02 04 00 02");
    bad("left-over", "a byte after the last field", 6, "A1 00 11 02 00 02 00");
    bad("checksum-wrong", "a checksum of 0", 6, "A1 10 11 02 00 02 00 00 00 00");
    bad("checksum-missing", "too short for a checksum", 6, "A1 10 11 02 00 02");
    bad("plain-digit", "a digit above the base", 2, "A1 80 FF 1F 01");
    bad("plain-outside", "seconds beyond the hour", 2, "A1 88 FF FF FF 07 01 01");
    bad("plain-part-0", "milliseconds of 0", 2, "A1 84 18 15 00 07");
    bad("plain-value-cut", "a value that is cut", 4, "A1 80 08 07 01");
    bad(
        "steps-overflow",
        "a gap that takes the place above 2^63",
        5,
        "A1 00 11 03 10 00 02 02 00 00 00 00 00 00 00 FC FF FF FF FF FF FF FF 01");
    bad(
        "plain-parts-overflow",
        "a distance that takes the place above 2^63",
        3,
        "A1 61 24 "
            + "86 CF 14 A8 92 00 40 18 3E 53 A0 4A 02 00 61 F8 4C 81 2A 09 00 84 E1 33 "
            + "05 AA 24 00 10 86 CF 14 A8 92 00 40 18 3E 53 A0 4A 02 00 61 F8 4C 81 2A "
            + "09 00 84 E1 33 05 AA 24 00 10 86 CF 14 A8 92 00 80 41 00 00 00 00 00 00 "
            + "00 00 FE FF FF FF FF FF FF FF 01 28 "
            + "00 ".repeat(36));
  }

  private static void bad(String name, String why, int offset, String hex) throws Exception {
    Path file = Vector.ROOT.resolve("malformed").resolve(name + ".vector");
    if (Files.exists(file)) {
      return;
    }
    byte[] cell = HexFormat.of().parseHex(hex.replace(" ", ""));
    int found = END;
    try {
      new PackedCellDecoder().decode(cell, new PointBlock());
    } catch (MalformedCellException e) {
      found = e.offset();
      if (found != offset) {
        System.err.println(name + ": expected " + offset + ", " + e.getMessage());
      }
    }
    if (found == END) {
      System.err.println(name + ": is not malformed");
    }
    Vector vector = new Vector(name, why, new PointBlock(0), offset, cell);
    Files.createDirectories(file.getParent());
    List<Integer> ends = cell.length == 0 ? List.of() : List.of(cell.length);
    Files.writeString(file, vector.text(ends, List.of("cell")), StandardCharsets.UTF_8);
  }
}
