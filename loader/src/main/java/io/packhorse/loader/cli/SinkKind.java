package io.packhorse.loader.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where cells go. */
enum SinkKind {
  PUTS,
  HFILES,
  NULL;

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@code puts}, {@code hfiles} and {@code null}. */
  static final class Converter implements ITypeConverter<SinkKind> {
    @Override
    public SinkKind convert(String text) {
      return switch (text) {
        case "puts" -> PUTS;
        case "hfiles" -> HFILES;
        case "null" -> NULL;
        default ->
            throw new TypeConversionException(
                "'" + text + "' is not a sink: write puts, hfiles or null");
      };
    }
  }
}
