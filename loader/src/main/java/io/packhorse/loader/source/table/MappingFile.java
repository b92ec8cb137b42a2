package io.packhorse.loader.source.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.TableMapping.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a mapping file says, as JSON. With all keys from delimiter to columns it states the whole
 * mapping; of a file without one of them, the rest is guessed.
 *
 * @param delimiter as in {@link TableMapping}, and so are the others; null if the file has no such
 *     key
 */
public record MappingFile(
    @Nullable String delimiter,
    @Nullable String quote,
    @Nullable Boolean header,
    @Nullable String decimal,
    @Nullable List<String> missing,
    @Nullable Time time,
    @Nullable List<PartialColumn> columns,
    @Nullable Integer skipLines,
    @Nullable String comment,
    @Nullable List<Integer> widths,
    @Nullable String thousands,
    @Nullable Boolean booleans) {
  /** What a file without a quote means. */
  private static final String QUOTE = "\"";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(
              SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .build();

  /** How times are written; null is not stated. */
  public record Time(@Nullable String format, @Nullable String zone, @Nullable Dst dst) {}

  /** A column; null is not stated. */
  public record PartialColumn(
      @Nullable String name, TableMapping.@Nullable Role role, @Nullable String as) {
    Column stated() {
      if (name == null || role == null) {
        throw new IllegalArgumentException("mapping: each column needs a name and a role");
      }
      return new Column(name, role, as);
    }
  }

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if a list has an empty place, or what it states cannot be
   */
  public MappingFile {
    if (hasNull(missing) || hasNull(columns) || hasNull(widths)) {
      throw new IllegalArgumentException("mapping: a list must not hold null");
    }
  }

  private static boolean hasNull(@Nullable List<?> list) {
    return list != null && list.stream().anyMatch(each -> each == null);
  }

  /**
   * Reads a mapping.
   *
   * @throws InputException if it cannot be read or is invalid, with position and reason
   */
  public static MappingFile read(Path file) throws InputException {
    try {
      MappingFile read = JSON.readValue(Files.readString(file), MappingFile.class);
      if (read == null) {
        throw new IllegalArgumentException("it is empty");
      }
      if (read.whole().isEmpty()) {
        read.checkPart();
      }
      return read;
    } catch (JacksonException e) {
      Throwable why = e.getCause() instanceof IllegalArgumentException ? e.getCause() : e;
      throw refused(file, String.valueOf(why.getMessage()));
    } catch (IllegalArgumentException e) {
      throw refused(file, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new InputException("Cannot read the mapping " + file, e);
    }
  }

  /** Checks what only a whole mapping, or none, may say. */
  private void checkPart() {
    if ((quote != null && !quote.equals(QUOTE)) || thousands != null) {
      throw new IllegalArgumentException(
          "mapping: where quote is another character than \", or thousands is stated, delimiter,"
              + " header, decimal, missing, time and columns must all be there");
    }
    new TableMapping.Time(
        timeFormat().orElse(TableMapping.Time.ISO), zone().orElse("UTC"), dst().orElse(Dst.REJECT));
    stated();
  }

  private static InputException refused(Path file, String why) {
    return new InputException(
        "Cannot use the mapping " + file + ": " + why.lines().findFirst().orElse(""));
  }

  /** The mapping, if the file states all of it: then nothing is guessed. */
  public Optional<TableMapping> whole() {
    if (delimiter == null
        || quote == null
        || header == null
        || decimal == null
        || missing == null
        || columns == null
        || time == null
        || time.format() == null
        || time.zone() == null
        || time.dst() == null) {
      return Optional.empty();
    }
    return Optional.of(
        new TableMapping(
            delimiter,
            quote,
            header,
            decimal,
            missing,
            new TableMapping.Time(time.format(), time.zone(), time.dst()),
            statedColumns(),
            skipLines,
            comment,
            widths,
            thousands,
            booleans));
  }

  /** What it states of text and columns; the rest is guessed. */
  public ColumnOptions stated() {
    return new ColumnOptions(
        Optional.ofNullable(delimiter),
        Optional.ofNullable(header),
        Optional.ofNullable(decimal),
        missing == null ? List.of() : missing,
        skipLines == null ? 0 : skipLines,
        Optional.ofNullable(comment),
        widths == null ? List.of() : widths,
        List.of(),
        statedColumns());
  }

  /** Whether true and false in columns of values are 1 and 0. */
  public boolean storesBooleans() {
    return Boolean.TRUE.equals(booleans);
  }

  /** The format of times, if the file states it. */
  public Optional<String> timeFormat() {
    return Optional.ofNullable(time).map(Time::format);
  }

  /** The time zone of times without an offset, if the file states it. */
  public Optional<String> zone() {
    return Optional.ofNullable(time).map(Time::zone);
  }

  /** What ambiguous local times mean, if the file states it. */
  public Optional<Dst> dst() {
    return Optional.ofNullable(time).map(Time::dst);
  }

  private List<Column> statedColumns() {
    return columns == null ? List.of() : columns.stream().map(PartialColumn::stated).toList();
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
