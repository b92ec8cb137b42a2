package io.packhorse.loader.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where cells go. */
enum SinkKind {
  PUTS,
  NULL;

  /** Reads {@code puts} and {@code null}. */
  static final class Converter implements ITypeConverter<SinkKind> {
    @Override
    public SinkKind convert(String text) {
      return switch (text) {
        case "puts" -> PUTS;
        case "null" -> NULL;
        default ->
            throw new TypeConversionException("'" + text + "' is not a sink: write puts or null");
      };
    }
  }
}
