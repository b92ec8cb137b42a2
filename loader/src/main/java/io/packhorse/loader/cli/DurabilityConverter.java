package io.packhorse.loader.cli;

import io.packhorse.loader.sink.PutDurability;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a kind of durability. */
final class DurabilityConverter implements ITypeConverter<PutDurability> {
  @Override
  public PutDurability convert(String value) {
    return Arrays.stream(PutDurability.values())
        .filter(kind -> kind.toString().equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException("'" + value + "' is not one of sync, async and skip"));
  }
}
