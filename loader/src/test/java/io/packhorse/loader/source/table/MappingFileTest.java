package io.packhorse.loader.source.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.TableMapping.Column;
import io.packhorse.loader.source.table.TableMapping.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MappingFileTest {
  private static final TableMapping MAPPING =
      new TableMapping(
          "\t",
          "\"",
          true,
          ",",
          List.of("NA"),
          new TableMapping.Time("d.M.uuuu HH:mm", "Europe/Oslo", Dst.LATER),
          List.of(
              new Column("Zeit", Role.TIME, null),
              new Column("Temp (°C)", Role.VALUE, "temp"),
              new Column("site", Role.TAG, null),
              new Column("note", Role.IGNORE, null)),
          1,
          "%",
          null,
          ".",
          true);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Test
  void readsWhatItHasWritten() throws IOException {
    Path file = directory.resolve("mapping.json");
    MappingFile.write(MAPPING, file);
    String text = Files.readString(file);
    assertTrue(text.contains("\"role\" : \"time\""), text);
    assertTrue(text.contains("\"as\" : \"site\""), text);
    assertEquals(MAPPING.toString(), MappingFile.read(file).whole().orElseThrow().toString());
    assertEquals(MAPPING.spelledOut(), MappingFile.read(file).whole().orElseThrow());
  }

  @Test
  void aPartStatesSomeColumnsAndLeavesTheRest() throws IOException {
    Path file = directory.resolve("part.json");
    Files.writeString(
        file,
        "{\"time\": {\"zone\": \"Europe/Oslo\"}, \"columns\": ["
            + "{\"name\": \"Temp\", \"role\": \"value\", \"as\": \"plant.temp\"}]}");
    MappingFile part = MappingFile.read(file);
    assertEquals(Optional.empty(), part.whole());
    assertEquals(
        ColumnOptions.of(List.of(new Column("Temp", Role.VALUE, "plant.temp"))), part.stated());
    assertEquals(Optional.of("Europe/Oslo"), part.zone());
    assertEquals(Optional.empty(), part.timeFormat());
    assertEquals(Optional.empty(), part.dst());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'columns': [{'name': 'a'}]}|each column needs a name and a role",
        "{'columns': [null]}|must not hold null",
        "{'time': {'zone': 'Europe/Olso'}}|is not a time zone",
        "{'time': {'format': 'jjjj'}}|pattern",
        "{'decimal': ';'}|--decimal must be",
        "{'quote': '~'}|where quote is another character",
        "{'colums': []}|colums",
        "null|it is empty",
      },
      quoteCharacter = '#')
  void saysWhatIsWrongInAPart(String text, String why) throws IOException {
    Path file = Files.writeString(directory.resolve("part.json"), text.replace('\'', '"'));
    InputException e = assertThrows(InputException.class, () -> MappingFile.read(file));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"role\" : \"time\"|\"role\" : \"tag\"|column must have the role time",
        "Europe/Oslo|Europe/Olso|is not a time zone",
        "uuuu|jjjj|pattern",
        "\"later\"|\"sometimes\"|sometimes",
        "\"quote\"|\"quota\"|quota",
        "\"NA\"|null|must not hold null",
      })
  void saysWhatIsWrong(String right, String wrong, String why) throws IOException {
    Path file = directory.resolve("mapping.json");
    MappingFile.write(MAPPING, file);
    Files.writeString(file, Files.readString(file).replace(right, wrong));
    InputException e = assertThrows(InputException.class, () -> MappingFile.read(file));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e::toString);
    assertTrue(String.valueOf(e.getMessage()).contains(file.toString()), e::toString);
  }
}
