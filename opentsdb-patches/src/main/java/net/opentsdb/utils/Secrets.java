package net.opentsdb.utils;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;

/** Settings and request headers whose values must not be shown. */
@NullMarked
public final class Secrets {
  private static final Pattern NAMES =
      Pattern.compile("pass|secret|token|credential|private|auth_");

  private Secrets() {}

  /** Whether a request header carries credentials. */
  public static boolean isSecretHeader(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals("cookie") || lower.endsWith("authorization") || isSecret(lower);
  }

  /** Whether the value of a setting of this name is to be hidden. */
  public static boolean isSecret(String setting) {
    return NAMES.matcher(setting.toLowerCase(Locale.ROOT)).find();
  }
}
