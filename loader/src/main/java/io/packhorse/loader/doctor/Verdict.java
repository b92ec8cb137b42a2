package io.packhorse.loader.doctor;

/** How serious a finding is. */
public enum Verdict {
  /** All is well. */
  OK,
  /** A load works, but the user should know this. */
  WARN,
  /** A load would fail, or its points would not be seen. */
  FAIL
}
