package io.packhorse.schema.uid;

import java.nio.charset.StandardCharsets;

/** What a UID names. Each kind has its own counter and its own column in the UID table. */
public enum UidKind {
  METRIC("metrics"),
  TAGK("tagk"),
  TAGV("tagv");

  private final String qualifier;

  UidKind(String qualifier) {
    this.qualifier = qualifier;
  }

  /** Column of this kind, in both families and in the counter row. */
  public String qualifier() {
    return qualifier;
  }

  /** {@link #qualifier} as stored; a new array. */
  public byte[] qualifierBytes() {
    return qualifier.getBytes(StandardCharsets.ISO_8859_1);
  }
}
