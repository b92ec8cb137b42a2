package io.packhorse.loader.load;

import java.util.Locale;

/** Writes numbers as people read them. */
public final class HumanNumbers {
  private HumanNumbers() {}

  /** {@code 77,414,400}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 point}, {@code 77,414,400 points}. */
  public static String count(long number, String one, String many) {
    return count(number) + " " + (number == 1 ? one : many);
  }

  /** {@code 77.4 M}, {@code 9,999}, {@code 1.12}: three digits, or four. */
  public static String si(double number) {
    if (number >= 1e12) {
      return digits(number / 1e12) + " T";
    }
    if (number >= 1e9) {
      return digits(number / 1e9) + " G";
    }
    if (number >= 1e6) {
      return digits(number / 1e6) + " M";
    }
    if (number >= 1e4) {
      return digits(number / 1e3) + " k";
    }
    return number == 0 ? "0" : digits(number);
  }

  /** {@code 77.4 MB}, {@code 1,834 B}, {@code 51 B}: no parts of a byte. */
  public static String bytes(double number) {
    if (number < 1000) {
      return Math.round(number) + " B";
    }
    String digits = si(number);
    return digits + (digits.contains(" ") ? "B" : " B");
  }

  /** {@code 0.889}: three decimals. */
  public static String ratio(double number) {
    return String.format(Locale.ROOT, "%.3f", number);
  }

  /** {@code 2.4 s}, {@code 3 min 5 s}, {@code 2 h 10 min}, as in the report of a load. */
  public static String seconds(double seconds) {
    if (seconds < 99.95) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < 3600
        ? String.format(Locale.ROOT, "%d min %d s", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d h %d min", whole / 3600, whole % 3600 / 60);
  }

  private static String digits(double number) {
    int decimals = number >= 100 ? 0 : number >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", number);
  }

  /** {@code 1 thread}, {@code 4 threads}. */
  public static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }
}
