package io.packhorse.loader.source.influx;

import io.packhorse.loader.source.text.LikelyTime;
import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.Points;
import io.packhorse.loader.source.text.ShortNumber;
import io.packhorse.loader.source.text.Spellings;
import io.packhorse.loader.source.text.TimeReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the host that came after the one before the last time too, with the fields of its
 * measurement in their order and short numbers: a look at the bytes expected saves taking such a
 * line apart. One thread.
 */
final class LikelyLines {
  /**
   * What is read at most behind a name: equals sign, number, letter, comma, timestamp, line end.
   */
  private static final int BEHIND_NAME_BYTES_MAX = 64;

  private final Hosts hosts;
  private final LikelyTime time;
  private final ShortNumber number = new ShortNumber();

  /** By host: a space, then it as it stood last. */
  private byte[] @Nullable [] spellings = new byte[128][];

  /** By host: the one that came after it, plus one. */
  private int[] followers = new int[128];

  private int last = -1;

  /** Of the line being read: for each field series and value. */
  private int[] series = new int[16];

  private long[] bits = new long[16];
  private boolean[] isDouble = new boolean[16];

  LikelyLines(Hosts hosts, TimeReader time) {
    this.hosts = hosts;
    this.time = new LikelyTime(time);
  }

  /** Takes note of a host, which stands there in these bytes. */
  void met(int host, byte[] buffer, int from, int to) {
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

  /** As {@link LineProtocol#readPlain}. */
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
      Hosts.Measurement measurement = hosts.measurement(host);
      int fields = measurement.size();
      byte[][] names = measurement.names();
      if (fields == 0) {
        // None has ever been a number, and a line without fields is none.
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
      points.countPlainLine();
      last = host;
      at = end + 1;
    }
    return at;
  }

  /** Index of the timestamp behind all fields, or -1 if they look otherwise. */
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
      if (series[field] == Spellings.UNKNOWN
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
