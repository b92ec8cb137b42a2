package io.packhorse.loader.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where cells go. */
enum SinkKind {
  PUTS("Puts"),
  HFILES("HFiles"),
  NULL("null sink");

  private final String shown;

  SinkKind(String shown) {
    this.shown = shown;
  }

  /** The kind in words, for a line about a load. */
  String shown() {
    return shown;
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
