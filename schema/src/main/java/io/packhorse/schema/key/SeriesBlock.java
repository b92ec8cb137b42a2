package io.packhorse.schema.key;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.Checksum;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.uid.UidWidths;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Series of one metric: a block of the series index. Layout: {@code docs/format.md}, section 16.
 *
 * @param groups in the order of their tag keys, one for each set of tag keys; at least one
 */
public record SeriesBlock(List<SeriesGroup> groups) {
  /** A block of fewer series may be replaced by one that has more. */
  public static final int OPEN_BELOW = 256;

  /** Most series of a block. */
  public static final int SERIES_MAX = 16_384;

  private static final int VERSION = 1;

  /** More tags than OpenTSDB can be told to take. */
  private static final int TAGS_MAX = 255;

  /** Number of series. */
  public int series() {
    return groups.stream().mapToInt(SeriesGroup::series).sum();
  }

  /** The stored bytes; a new array. */
  public byte[] encode(UidWidths widths) {
    ByteWriter to = new ByteWriter(1024);
    to.writeByte(VERSION);
    to.writeByte(widths.tagk());
    to.writeByte(widths.tagv());
    to.writeVarInt(groups.size());
    for (SeriesGroup group : groups) {
      to.writeByte(group.tagKeys().length / widths.tagk());
      to.writeBytes(group.tagKeys(), 0, group.tagKeys().length);
      to.writeVarInt(group.series());
    }
    Deflater deflater = new Deflater();
    try {
      for (SeriesGroup group : groups) {
        deflater.setInput(group.tagValues());
        drain(deflater, to);
      }
      deflater.finish();
      drain(deflater, to);
    } finally {
      deflater.end();
    }
    Checksum.append(to);
    return to.toByteArray();
  }

  private static void drain(Deflater from, ByteWriter to) {
    byte[] part = new byte[8192];
    int length;
    while ((length = from.deflate(part)) > 0) {
      to.writeBytes(part, 0, length);
    }
  }

  /**
   * Reads a stored block.
   *
   * @throws MalformedCellException if its checksum is wrong, it is of another version, or its UIDs
   *     have other widths
   */
  public static SeriesBlock decode(UidWidths widths, byte[] value) throws MalformedCellException {
    int end = Checksum.check(value);
    ByteReader from = new ByteReader(value, 0, end);
    require(from.readByte() == VERSION, 0, "block of series must have version " + VERSION);
    require(from.readByte() == widths.tagk(), 1, "width of tag keys must be " + widths.tagk());
    require(from.readByte() == widths.tagv(), 2, "width of tag values must be " + widths.tagv());
    int count = from.readVarInt();
    require(count > 0 && count <= SERIES_MAX, 3, "groups must be 1 to " + SERIES_MAX);
    List<SeriesGroup> groups = new ArrayList<>();
    int series = 0;
    for (int i = 0; i < count; i++) {
      SeriesGroup group = readGroup(widths, from, value);
      series += group.series();
      require(series <= SERIES_MAX, from.position(), "series must be 1 to " + SERIES_MAX);
      groups.add(group);
    }
    inflate(value, from.position(), end, groups);
    return new SeriesBlock(List.copyOf(groups));
  }

  /** A group whose values are not filled yet. */
  private static SeriesGroup readGroup(UidWidths widths, ByteReader from, byte[] value)
      throws MalformedCellException {
    int tags = from.readByte();
    require(tags > 0 && tags <= TAGS_MAX, from.position(), "a series must have a tag");
    byte[] keys = new byte[tags * widths.tagk()];
    require(from.remaining() >= keys.length, from.position(), "tag keys must be whole");
    System.arraycopy(value, from.position(), keys, 0, keys.length);
    from.skip(keys.length);
    int series = from.readVarInt();
    require(series > 0 && series <= SERIES_MAX, from.position(), "a group must have a series");
    return new SeriesGroup(keys, new byte[series * tags * widths.tagv()], series);
  }

  private static void inflate(byte[] from, int at, int end, List<SeriesGroup> into)
      throws MalformedCellException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(from, at, end - at);
      for (SeriesGroup group : into) {
        require(
            inflater.inflate(group.tagValues()) == group.tagValues().length,
            at,
            "tag values must fill the series");
      }
      require(inflater.inflate(new byte[1]) == 0, at, "tag values must not exceed the series");
      require(inflater.finished(), at, "tag values must end");
    } catch (DataFormatException e) {
      throw new MalformedCellException(at, "tag values must inflate: " + e.getMessage());
    } finally {
      inflater.end();
    }
  }

  private static void require(boolean holds, int at, String rule) throws MalformedCellException {
    if (!holds) {
      throw new MalformedCellException(at, rule);
    }
  }

  @Override
  public String toString() {
    return "SeriesBlock[groups=" + groups.size() + ", series=" + series() + "]";
  }
}
