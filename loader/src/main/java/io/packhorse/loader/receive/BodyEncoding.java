package io.packhorse.loader.receive;

/** How a body is compressed. The codes are stored in logs and never change. */
public enum BodyEncoding {
  PLAIN(0),
  GZIP(1),
  /** Snappy's block format. */
  SNAPPY(2);

  private final int code;

  BodyEncoding(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
