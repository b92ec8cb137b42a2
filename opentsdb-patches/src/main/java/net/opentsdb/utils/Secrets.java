package net.opentsdb.utils;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;

/** Settings whose values are nobody else's business. */
@NullMarked
public final class Secrets {
  private static final Pattern NAMES =
      Pattern.compile("pass|secret|token|credential|private|auth_");

  private Secrets() {}

  /** Whether the value of a setting of this name is to be hidden. */
  public static boolean isSecret(String setting) {
    return NAMES.matcher(setting.toLowerCase(Locale.ROOT)).find();
  }
}
