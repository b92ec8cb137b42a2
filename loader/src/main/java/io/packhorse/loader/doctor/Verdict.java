package io.packhorse.loader.doctor;

/** How grave a finding is. */
public enum Verdict {
  /** As it should be. */
  OK,
  /** A load works; something about it may surprise. */
  WARN,
  /** A load would fail, or its points would not be seen. */
  FAIL
}
