package io.packhorse.loader.source.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.packhorse.loader.source.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads and writes mappings as JSON. */
public final class MappingFile {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(
              SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .build();

  private MappingFile() {}

  /**
   * Reads a mapping.
   *
   * @throws InputException if it cannot be read or is invalid, with position and reason
   */
  public static TableMapping read(Path file) throws InputException {
    try {
      return JSON.readValue(Files.readString(file), TableMapping.class);
    } catch (JacksonException e) {
      Throwable why = e.getCause() instanceof IllegalArgumentException ? e.getCause() : e;
      String message =
          e.getCause() instanceof NullPointerException
              ? "delimiter, quote, header, decimal, missing, time and columns must all be there"
              : String.valueOf(why.getMessage()).lines().findFirst().orElse("");
      throw new InputException("Cannot use the mapping " + file + ": " + message);
    } catch (IOException e) {
      throw new InputException("Cannot read the mapping " + file, e);
    }
  }

  /**
   * Writes a mapping, every name that can be changed in it.
   *
   * @throws InputException if it cannot be written
   */
  public static void write(TableMapping mapping, Path file) throws InputException {
    try {
      Files.writeString(file, JSON.writeValueAsString(mapping.spelledOut()) + "\n");
    } catch (IOException e) {
      throw new InputException("Cannot write the mapping " + file, e);
    }
  }
}
