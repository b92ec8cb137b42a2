package io.packhorse.loader.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a span of time as programs in Go do: {@code 90s}, {@code -1h30m}, {@code 1.5ms}. */
final class GoDuration implements ITypeConverter<Duration> {
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    boolean negative = text.startsWith("-");
    String parts = negative || text.startsWith("+") ? text.substring(1) : text;
    if (parts.equals("0")) {
      return Duration.ZERO;
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher matcher = PART.matcher(parts);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      BigDecimal number = new BigDecimal(matcher.group(1));
      nanos = nanos.add(number.multiply(BigDecimal.valueOf(nanos(matcher.group(2)))));
      end = matcher.end();
    }
    if (parts.isEmpty() || end != parts.length() || nanos.precision() - nanos.scale() > 18) {
      throw new TypeConversionException(
          "'" + text + "' is not a span of time: write 90s, 1h30m or -24h");
    }
    long all = nanos.setScale(0, RoundingMode.DOWN).longValueExact();
    return Duration.ofNanos(negative ? -all : all);
  }

  private static long nanos(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs" -> 1_000;
      case "ms" -> 1_000_000;
      case "s" -> 1_000_000_000;
      case "m" -> 60_000_000_000L;
      default -> 3_600_000_000_000L;
    };
  }
}
