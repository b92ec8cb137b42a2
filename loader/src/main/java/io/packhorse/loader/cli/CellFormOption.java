package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code packed} or {@code compacted}. */
final class CellFormOption implements ITypeConverter<CellForm> {
  @Override
  public CellForm convert(String text) {
    return switch (text) {
      case "packed" -> CellForm.PACKED;
      case "compacted" -> CellForm.COMPACTED;
      default ->
          throw new TypeConversionException(
              "'" + text + "' is not a form of cells: write packed or compacted");
    };
  }
}
