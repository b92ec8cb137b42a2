package io.packhorse.loader.cli;

import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a directory: a local path, or a URI of another file system; a trailing slash is dropped.
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
      throw new TypeConversionException("'" + text + "' is not a directory: " + e.getMessage());
    }
  }
}
