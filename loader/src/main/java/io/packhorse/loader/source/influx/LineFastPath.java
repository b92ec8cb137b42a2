package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.ShortNumber;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.TimestampFastPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses the lines that repeat a known order: the host that followed the last one before, with all
 * fields of its measurement in their order and short numbers. Such a line is compared with the
 * bytes expected and needs no look-up. One thread.
 */
final class LineFastPath {
  /** Bytes read at most after a name: equals sign, number, letter, comma, timestamp, line end. */
  private static final int BEHIND_NAME_BYTES_MAX = 64;

  private final SeriesCache hosts;
  private final TimestampFastPath time;
  private final ShortNumber number = new ShortNumber();

  /** By host: a space, then its bytes in its last line. */
  private byte[] @Nullable [] spellings = new byte[128][];

  /** By host: the host that followed it last, plus one. */
  private int[] followers = new int[128];

  private int last = -1;

  /** Series and value of each field of the current line. */
  private int[] series = new int[16];

  private long[] bits = new long[16];
  private boolean[] isDouble = new boolean[16];

  LineFastPath(SeriesCache hosts, TimeReader time) {
    this.hosts = hosts;
    this.time = new TimestampFastPath(time);
  }

  /** Records the host of a line parsed elsewhere. */
  void record(int host, byte[] buffer, int from, int to) {
    if (host >= followers.length) {
      int length = Math.max(host + 1, 2 * followers.length);
      spellings = Arrays.copyOf(spellings, length);
      followers = Arrays.copyOf(followers, length);
    }
    byte[] spelling = spellings[host];
    if (spelling == null
        || spelling.length != 1 + to - from
        || !Lines.startsWith(buffer, from, spelling, 1, spelling.length)) {
      spellings[host] = hosts.spelling(buffer, from, to);
    }
    if (last >= 0) {
      followers[last] = host + 1;
    }
    last = host;
  }

  /** As {@link LineProtocol#readFastPath}. */
  int read(byte[] buffer, int from, int limit, Points points) {
    int at = from;
    while (last >= 0 && followers[last] > 0) {
      int host = followers[last] - 1;
      byte[] spelling = spellings[host];
      if (spelling == null || limit - at < spelling.length + 1) {
        break;
      }
      int keyEnd = at + spelling.length - 1;
      if (buffer[keyEnd] != ' ' || !Lines.startsWith(buffer, at, spelling, 1, spelling.length)) {
        break;
      }
      SeriesCache.Measurement measurement = hosts.measurement(host);
      int fields = measurement.size();
      byte[][] names = measurement.names();
      if (fields == 0) {
        // No field has been a number so far.
        break;
      }
      int timeFrom = readFields(host, names, fields, buffer, keyEnd + 1, limit);
      if (timeFrom < 0 || !time.read(buffer, timeFrom)) {
        break;
      }
      int end = timeFrom + time.length();
      end += buffer[end] == '\r' ? 1 : 0;
      if (buffer[end] != '\n') {
        break;
      }
      for (int field = 0; field < fields; field++) {
        points.add(series[field], time.millis(), bits[field], isDouble[field]);
      }
      points.countFastPathLine();
      last = host;
      at = end + 1;
    }
    return at;
  }

  /** Index of the timestamp after all fields, or -1 if the line has another form. */
  private int readFields(int host, byte[][] names, int fields, byte[] buffer, int from, int limit) {
    if (fields > series.length) {
      series = new int[2 * fields];
      bits = new long[2 * fields];
      isDouble = new boolean[2 * fields];
    }
    int at = from;
    for (int field = 0; field < fields; field++) {
      byte[] name = names[field];
      int nameEnd = at + name.length;
      series[field] = hosts.known(host, field);
      if (series[field] == ByteKeyIndex.UNKNOWN
          || limit - nameEnd < BEHIND_NAME_BYTES_MAX
          || buffer[nameEnd] != '='
          || !Lines.startsWith(buffer, at, name, 0, name.length)) {
        return -1;
      }
      at = number.read(buffer, nameEnd + 1);
      if (at < 0) {
        return -1;
      }
      boolean isInteger = buffer[at] == 'i';
      if (isInteger && number.hasDecimals()) {
        return -1;
      }
      isDouble[field] = !isInteger;
      bits[field] = isInteger ? number.bits() : number.doubleBits();
      at += isInteger ? 1 : 0;
      if (buffer[at] != (field == fields - 1 ? ' ' : ',')) {
        return -1;
      }
      at++;
    }
    return at;
  }
}
