package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which requests to {@code /q} are answered; loader's PlainGraphIT compares the answers. */
final class AsciiGraphTest {
  @Test
  void takesTheParametersThatChooseData() {
    AsciiGraph.check(parameters("start", "end", "tz", "m", "tsuid", "ascii", "nocache", "ignore"));
    AsciiGraph.check(parameters("start", "m", "json"));
  }

  @Test
  void refusesAnyOther() {
    for (String name :
        List.of("o", "yrange", "wxh", "png", "delete", "exp", "jsonp", "", "Start")) {
      BadRequestException e =
          assertThrows(
              BadRequestException.class,
              () -> AsciiGraph.check(parameters("start", "m", "ascii", name)));
      assertTrue(e.getMessage().contains("Unknown parameter \"" + name + "\""), e.getMessage());
    }
  }

  @Test
  void refusesBothFormatsAndNone() {
    assertThrows(BadRequestException.class, () -> AsciiGraph.check(parameters("start", "m")));
    assertThrows(
        BadRequestException.class,
        () -> AsciiGraph.check(parameters("start", "m", "ascii", "json")));
  }

  @Test
  void readsDatesInTheZoneOfTheRequest() {
    assertEquals(1_356_998_400, AsciiGraph.seconds("2013/01/01-00:00:00", "UTC", 0));
    assertEquals(1_356_998_400, AsciiGraph.seconds("2013/01/01-01:00:00", "Europe/Berlin", 0));
    assertEquals(1_356_998_400, AsciiGraph.seconds("1356998400", "Europe/Berlin", 0));
    assertEquals(1_356_998_400, AsciiGraph.seconds(null, "Europe/Berlin", 1_356_998_400_999L));
    assertThrows(
        IllegalArgumentException.class,
        () -> AsciiGraph.seconds("2013/01/01-00:00:00", "Mars/Olympus", 0));
  }

  private static Map<String, List<String>> parameters(String... names) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String name : names) {
      parameters.put(name, List.of(""));
    }
    return parameters;
  }
}
