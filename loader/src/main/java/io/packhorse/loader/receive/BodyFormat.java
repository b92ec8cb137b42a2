package io.packhorse.loader.receive;

import io.packhorse.loader.source.record.TimestampUnit;

/** How a body is read. The codes are stored in logs and never change. */
public enum BodyFormat {
  /** Lines of OpenTSDB's telnet {@code put}. */
  PUT_LINES(1, TimestampUnit.OPENTSDB),
  /** JSON of OpenTSDB's {@code /api/put}. */
  PUT_JSON(2, TimestampUnit.OPENTSDB),
  /** InfluxDB's line protocol, by the unit of its timestamps. */
  LINES_NS(3, TimestampUnit.NANOSECONDS),
  LINES_US(4, TimestampUnit.MICROSECONDS),
  LINES_MS(5, TimestampUnit.MILLISECONDS),
  LINES_S(6, TimestampUnit.SECONDS),
  /** Prometheus' remote write 1.0. */
  REMOTE_WRITE_1(7, TimestampUnit.MILLISECONDS),
  /** Prometheus' remote write 2.0. */
  REMOTE_WRITE_2(8, TimestampUnit.MILLISECONDS);

  private final int code;
  private final TimestampUnit unit;

  BodyFormat(int code, TimestampUnit unit) {
    this.code = code;
    this.unit = unit;
  }

  int code() {
    return code;
  }

  TimestampUnit unit() {
    return unit;
  }
}
