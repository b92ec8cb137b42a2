package io.packhorse.loader.cli;

import io.packhorse.loader.source.table.Dst;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code reject}, {@code earlier} and {@code later}. */
final class DstConverter implements ITypeConverter<Dst> {
  @Override
  public Dst convert(String text) {
    for (Dst dst : Dst.values()) {
      if (dst.toString().equals(text)) {
        return dst;
      }
    }
    throw new TypeConversionException("'" + text + "' is not reject, earlier or later");
  }
}
