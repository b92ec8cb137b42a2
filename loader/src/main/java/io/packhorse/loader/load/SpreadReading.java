package io.packhorse.loader.load;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.record.Rejects;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What reading one input has told, beside its points. Its arrays must not be changed.
 *
 * @param input its number
 * @param names of its series by their number in this input, as {@link #encode} gave them
 * @param firstMs time of the first point, milliseconds since 1970, or -1
 * @param lastMs time of the last point of each series
 * @param read points
 * @param packed points in the packed hours that were kept
 * @param replaced points that a later one of the same series and time replaced
 * @param leftOut points that were not asked for
 * @param lines that were read of a part of a text; 0 of other inputs
 * @param rejected lines by reason
 * @param firstRejects a few, each a line for people
 * @param replacedAt series and time, milliseconds since 1970, of a replaced point; null for none
 * @param bytes of the packed hours
 * @param samples series and hour since 1970, one after the other, of packed hours that stand for
 *     the same number of bytes each
 */
public record SpreadReading(
    int input,
    byte[] names,
    long firstMs,
    long[] lastMs,
    long read,
    long packed,
    long replaced,
    long leftOut,
    long lines,
    Map<String, Long> rejected,
    List<String> firstRejects,
    long @Nullable [] replacedAt,
    long bytes,
    int[] samples)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** Whether the input was damaged, and not read to its end. */
  boolean isDamaged() {
    return rejected.containsKey(Rejects.Reason.INPUT_DAMAGED.toString());
  }

  /** Names as bytes: their number, then of each the metric, the number of tags, keys and values. */
  public static byte[] encode(SeriesNames names) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(names.size());
    for (int series = 0; series < names.size(); series++) {
      SeriesName name = names.get(series);
      out.writeUTF(name.metric());
      out.writeByte(name.tags().size());
      for (int tag = 0; tag < name.tags().size(); tag++) {
        out.writeUTF(name.tags().key(tag));
        out.writeUTF(name.tags().value(tag));
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Adds its names to those of the load.
   *
   * @return their numbers in the load, by their number in this input
   */
  int[] addNames(SeriesNames all) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(names));
    int[] numbers = new int[in.readInt()];
    for (int series = 0; series < numbers.length; series++) {
      String metric = in.readUTF();
      int tags = in.readUnsignedByte();
      TreeMap<String, String> words = new TreeMap<>();
      for (int tag = 0; tag < tags; tag++) {
        String key = in.readUTF();
        words.put(key, in.readUTF());
      }
      numbers[series] = all.intern(new SeriesName(metric, words));
    }
    return numbers;
  }

  long rejectedLines() {
    return rejected.values().stream().mapToLong(Long::longValue).sum();
  }
}
