package io.packhorse.loader.doctor;

/**
 * What one check found.
 *
 * @param check its name, the same in each run
 * @param where table, server, file or address
 * @param found what is there, a sentence without its full stop
 * @param todo what to do about it; empty if it is well
 */
public record Finding(Verdict verdict, String check, String where, String found, String todo) {
  /** Something as it should be. */
  public static Finding ok(String check, String where, String found) {
    return new Finding(Verdict.OK, check, where, found, "");
  }

  /** Something that may surprise. */
  public static Finding warn(String check, String where, String found, String todo) {
    return new Finding(Verdict.WARN, check, where, found, todo);
  }

  /** Something that cannot stay so. */
  public static Finding fail(String check, String where, String found, String todo) {
    return new Finding(Verdict.FAIL, check, where, found, todo);
  }

  /** On one line: where, what, what to do. */
  public String sentence() {
    return where + ": " + found + (todo.isEmpty() ? "" : "; " + todo);
  }
}
