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
              new Column("note", Role.IGNORE, null)));

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
    assertEquals(MAPPING.toString(), MappingFile.read(file).toString());
    assertEquals(MAPPING.spelledOut(), MappingFile.read(file));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"role\" : \"time\"|\"role\" : \"tag\"|column must have the role time",
        "Europe/Oslo|Europe/Olso|is not a time zone",
        "uuuu|jjjj|pattern",
        "\"later\"|\"sometimes\"|sometimes",
        "\"quote\"|\"quota\"|must all be there",
        "\"NA\"|null|must all be there",
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
