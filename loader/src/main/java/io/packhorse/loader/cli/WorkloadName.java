package io.packhorse.loader.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Workloads that are known by name; the first one has every key. */
enum WorkloadName {
  PRODUCTION("production"),
  REFERENCE("reference"),
  HOMES("homes"),
  TSBS_CPU("tsbs-cpu"),
  INCH("inch"),
  SAMPLES("samples");

  private final String word;

  WorkloadName(String word) {
    this.word = word;
  }

  /** The file of it. */
  String text() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            WorkloadName.class.getResourceAsStream("/workloads/" + word + ".yaml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** As it is spelled on the command line. */
  @Override
  public String toString() {
    return word;
  }

  /** Reads a name as it is spelled. */
  static final class Converter implements ITypeConverter<WorkloadName> {
    @Override
    public WorkloadName convert(String word) {
      return Arrays.stream(values())
          .filter(name -> name.word.equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "expected one of " + Arrays.toString(values()) + " but was '" + word + "'"));
    }
  }
}
