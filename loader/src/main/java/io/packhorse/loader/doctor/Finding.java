package io.packhorse.loader.doctor;

/**
 * The result of one check.
 *
 * @param check name of the check, the same in each run
 * @param where table, server, file or address
 * @param found what was found, a sentence without full stop
 * @param todo what to do about it; empty if nothing
 */
public record Finding(Verdict verdict, String check, String where, String found, String todo) {
  /** All is well. */
  public static Finding ok(String check, String where, String found) {
    return new Finding(Verdict.OK, check, where, found, "");
  }

  /** A load works, but the user should know this. */
  public static Finding warn(String check, String where, String found, String todo) {
    return new Finding(Verdict.WARN, check, where, found, todo);
  }

  /** A load would fail, or its points would not be seen. */
  public static Finding fail(String check, String where, String found, String todo) {
    return new Finding(Verdict.FAIL, check, where, found, todo);
  }

  /** One line: where, what was found, what to do. */
  public String sentence() {
    return where + ": " + found + (todo.isEmpty() ? "" : "; " + todo);
  }
}
