package io.packhorse.loader.cli;

import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a directory: a path of this machine, or one of another file system, without a last slash.
 */
final class DirectoryConverter implements ITypeConverter<URI> {
  @Override
  public URI convert(String text) {
    try {
      String name =
          text.contains("://")
              ? text
              : Path.of(text).toAbsolutePath().normalize().toUri().toString();
      return URI.create(name.replaceAll("/+$", ""));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' is no directory: " + e.getMessage());
    }
  }
}
