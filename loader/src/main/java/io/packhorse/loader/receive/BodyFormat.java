package io.packhorse.loader.receive;

import io.packhorse.loader.source.record.TimestampUnit;

/** How a body is read. The codes are stored in logs and never change. */
public enum BodyFormat {
  /** Lines of OpenTSDB's telnet {@code put}. */
  PUT_LINES(1, "telnet put", TimestampUnit.OPENTSDB),
  /** JSON of OpenTSDB's {@code /api/put}. */
  PUT_JSON(2, "/api/put", TimestampUnit.OPENTSDB),
  /** InfluxDB's line protocol, by the unit of its timestamps. */
  LINES_NS(3, "line protocol", TimestampUnit.NANOSECONDS),
  LINES_US(4, "line protocol", TimestampUnit.MICROSECONDS),
  LINES_MS(5, "line protocol", TimestampUnit.MILLISECONDS),
  LINES_S(6, "line protocol", TimestampUnit.SECONDS),
  /** Prometheus' remote write 1.0. */
  REMOTE_WRITE_1(7, "remote write 1.0", TimestampUnit.MILLISECONDS),
  /** Prometheus' remote write 2.0. */
  REMOTE_WRITE_2(8, "remote write 2.0", TimestampUnit.MILLISECONDS);

  private final int code;
  private final String shown;
  private final TimestampUnit unit;

  BodyFormat(int code, String shown, TimestampUnit unit) {
    this.code = code;
    this.shown = shown;
    this.unit = unit;
  }

  int code() {
    return code;
  }

  /** Its name for people. */
  String shown() {
    return shown;
  }

  TimestampUnit unit() {
    return unit;
  }
}
