package net.opentsdb.core;

import io.packhorse.schema.key.SeriesGroup;
import io.packhorse.schema.key.SeriesSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.opentsdb.uid.UniqueId;
import org.hbase.async.Bytes.ByteMap;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Selects series by their tags, as the row key filter of a scan does: what needs names is left to
 * the filters that every row goes through. For one query.
 */
@NullMarked
final class SeriesSelection {
  private static final int KEY = TSDB.tagk_width();
  private static final int VALUE = TSDB.tagv_width();

  /** Tag keys that a series must have, with the values that it may have; null for any. */
  private final ByteMap<long @Nullable []> wanted = new ByteMap<>();

  private final boolean explicit;

  /** The tags of the selected series, where a query names these; null if it has filters. */
  private final @Nullable List<byte[]> named;

  private SeriesSelection(boolean explicit, @Nullable List<byte[]> named) {
    this.explicit = explicit;
    this.named = named;
  }

  /**
   * @param tsuids what the query names; null if it does not
   * @param literals as {@link TsdbQuery} makes them of its filters: values by tag key, null for any
   *     value, none for a key that must be missing; null without filters
   * @param explicit whether a series must have no other tag
   */
  static SeriesSelection of(
      @Nullable List<String> tsuids, @Nullable ByteMap<byte[][]> literals, boolean explicit) {
    if (tsuids != null && !tsuids.isEmpty()) {
      return new SeriesSelection(explicit, tags(tsuids));
    }
    SeriesSelection selection = new SeriesSelection(explicit, null);
    if (literals != null) {
      literals.forEach(selection::want);
    }
    return selection;
  }

  /** Null if one of them cannot be a series; the scan decides what that means. */
  private static @Nullable List<byte[]> tags(List<String> tsuids) {
    List<byte[]> all = new ArrayList<>();
    for (String tsuid : tsuids) {
      byte[] bytes = UniqueId.stringToUid(tsuid);
      int length = bytes.length - TSDB.metrics_width();
      if (length <= 0 || length % (KEY + VALUE) != 0) {
        return null;
      }
      all.add(Arrays.copyOfRange(bytes, TSDB.metrics_width(), bytes.length));
    }
    return all;
  }

  private void want(byte[] key, byte[] @Nullable [] values) {
    if (values == null) {
      wanted.put(key, null);
    } else if (values.length > 0) {
      wanted.put(
          key,
          Arrays.stream(values)
              .filter(Objects::nonNull)
              .mapToLong(value -> number(value, 0))
              .sorted()
              .toArray());
    }
  }

  /** Whether all series of a metric are selected, but for what needs names. */
  boolean isAll() {
    return named == null && wanted.isEmpty();
  }

  /**
   * The selected series of a metric.
   *
   * @return for each the bytes of its tags, as in a row key; null if there are more than wanted
   */
  @Nullable List<byte[]> of(SeriesSet series, long max) {
    if (named != null) {
      return named.size() <= max ? named : null;
    }
    List<byte[]> found = new ArrayList<>();
    for (SeriesGroup group : series.groups()) {
      List<Column> columns = columns(group.tagKeys());
      if (columns == null) {
        continue;
      }
      for (int at = 0; at < group.tagValues().length; at += group.stride()) {
        if (matches(columns, group.tagValues(), at)) {
          if (found.size() == max) {
            return null;
          }
          found.add(tags(group, at));
        }
      }
    }
    return found;
  }

  /** A tag whose value must be one of some, which are sorted. */
  @SuppressWarnings("ArrayRecordComponent") // a million series are compared with it
  private record Column(int offset, long[] values) {}

  /** The tags to look at in series that have these keys; null if none of them is wanted. */
  private @Nullable List<Column> columns(byte[] keys) {
    List<Column> columns = new ArrayList<>();
    int met = 0;
    for (int tag = 0; tag < keys.length / KEY; tag++) {
      byte[] key = Arrays.copyOfRange(keys, tag * KEY, (tag + 1) * KEY);
      if (wanted.containsKey(key)) {
        met++;
        long @Nullable [] values = wanted.get(key);
        if (values != null) {
          columns.add(new Column(tag * VALUE, values));
        }
      } else if (explicit) {
        return null;
      }
    }
    return met == wanted.size() ? columns : null;
  }

  private static boolean matches(List<Column> columns, byte[] values, int at) {
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      if (Arrays.binarySearch(column.values(), number(values, at + column.offset())) < 0) {
        return false;
      }
    }
    return true;
  }

  private static byte[] tags(SeriesGroup group, int at) {
    int tags = group.tagKeys().length / KEY;
    byte[] bytes = new byte[tags * (KEY + VALUE)];
    for (int tag = 0; tag < tags; tag++) {
      System.arraycopy(group.tagKeys(), tag * KEY, bytes, tag * (KEY + VALUE), KEY);
      System.arraycopy(
          group.tagValues(), at + tag * VALUE, bytes, tag * (KEY + VALUE) + KEY, VALUE);
    }
    return bytes;
  }

  private static long number(byte[] uid, int at) {
    long number = 0;
    for (int i = at; i < at + VALUE; i++) {
      number = (number << Byte.SIZE) | (uid[i] & 0xff);
    }
    return number;
  }
}
