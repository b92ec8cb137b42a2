package io.packhorse.benchmarks.receive;

/** How points are written in a request. */
enum Form {
  /** Line protocol: a line has ten points. */
  INFLUX("text/plain"),
  /** An array for OpenTSDB's {@code /api/put}. */
  JSON("application/json"),
  /** OpenTSDB's telnet lines. */
  TELNET(""),
  /** Prometheus' remote write 1.0, in snappy. */
  REMOTE_WRITE("application/x-protobuf");

  final String contentType;

  Form(String contentType) {
    this.contentType = contentType;
  }
}
