package io.packhorse.loader.source.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AnnotatedCsvTest {
  private static final SourceSpec DETECTED =
      new SourceSpec(Optional.empty(), Optional.empty(), SeriesRules.NONE);

  private static final String LONG =
      """
      #group,false,false,true,true,false,false,true,true,true
      #datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string
      #default,_result,,,,,,,,
      ,result,table,_start,_stop,_time,_value,_field,_measurement,host
      ,,0,2024-01-01T00:00:00Z,2024-01-02T00:00:00Z,2024-01-01T00:00:01Z,15,usage,cpu,h1
      ,,0,2024-01-01T00:00:00Z,2024-01-02T00:00:00Z,2024-01-01T00:00:02.123456789Z,15.5,usage,cpu,h1
      """;

  private static final String PIVOTED =
      """

      #group,false,false,false,false,false,false,false,true,true
      #datatype,string,long,dateTime:RFC3339,double,long,boolean,string,string,string
      #default,_result,,,,,,,disk,
      ,result,table,_time,free,inodes,mounted,state,_measurement,host
      ,,1,2024-01-01T00:00:03Z,0.25,7,true,good,,h2
      ,,1,2024-01-01T00:00:04Z,,8,,,,h2
      """;

  @Test
  void readsSeveralTablesWithAFieldARowOrAColumnEach() throws Exception {
    Reading read = Reading.of(DETECTED, (LONG + PIVOTED).replace("\n", "\r\n"));
    assertEquals(
        List.of(
            "cpu.usage{host=h1} 1704067201000 15.0",
            "cpu.usage{host=h1} 1704067202123 15.5",
            "disk.free{host=h2} 1704067203000 0.25",
            "disk.inodes{host=h2} 1704067203000 7",
            "disk.inodes{host=h2} 1704067204000 8"),
        shown(read));
    assertEquals(Map.of(Reason.VALUE_TEXT, 2L), read.reasons());
    assertTrue(read.rejectLines().get(0).startsWith("in\t12\t"), read.rejectLines().get(0));
  }

  @Test
  void storesBooleansAndLeavesTextOutByChoice() throws Exception {
    SourceSpec spec =
        new SourceSpec(
            Optional.of(Format.ANNOTATED_CSV),
            Optional.empty(),
            SeriesRules.NONE,
            TableOptions.NONE,
            new FieldRules(true, true));
    Reading read = Reading.of(spec, PIVOTED);
    assertEquals(0, read.rejected());
    assertEquals(1, read.leftOut());
    assertTrue(
        shown(read).contains("disk.mounted{host=h2} 1704067203000 1"), shown(read)::toString);
  }

  @Test
  void readsTablesWithHeadersAlone() throws Exception {
    String header = ",result,table,_time,_value,_field,_measurement,host\n";
    Reading read =
        Reading.of(
            DETECTED,
            header
                + ",_result,0,2024-01-01T00:00:01Z,1,usage,cpu,h1\n\n"
                + header.replace("host", "site")
                + ",_result,1,2024-01-01T00:00:01Z,2,usage,cpu,oslo\n");
    assertEquals(
        List.of("cpu.usage{host=h1} 1704067201000 1", "cpu.usage{site=oslo} 1704067201000 2"),
        shown(read));
  }

  @Test
  void keepsTheTagsOfTablesThatAreNotGrouped() throws Exception {
    Reading read =
        Reading.of(DETECTED, LONG.replaceFirst("#group.*", "#group" + ",false".repeat(9)));
    assertEquals("cpu.usage{host=h1} 1704067201000 15.0", shown(read).get(0));
  }

  @Test
  void rejectsWhatIsNoPoint() throws Exception {
    Reading read =
        Reading.of(
            DETECTED,
            LONG
                + ",,0,a,b,2024-01-01T00:00:03Z,x,usage,cpu,h1\n"
                + ",,0,a,b,yesterday,1,usage,cpu,h1\n"
                + ",,0,a,b\n"
                + "\n#datatype,string,string\n#group,true,true\n#default,,\n,error,reference\n"
                + ",failed,897\n");
    assertEquals(
        Map.of(
            Reason.VALUE_MALFORMED, 1L,
            Reason.TIMESTAMP_MALFORMED, 1L,
            Reason.ROW_LENGTH, 1L,
            Reason.TABLE_WITHOUT_POINTS, 1L),
        read.reasons());
    assertEquals(2, read.points().size());
  }

  @Test
  void refusesTheKindThatInfluxDbReads() {
    for (String start :
        List.of("#constant measurement,cpu\n", "#datatype measurement,tag,double\n")) {
      InputException e =
          assertThrows(
              InputException.class, () -> Reading.of(DETECTED, start + "m,a,v\ncpu,b,1\n"));
      assertTrue(String.valueOf(e.getMessage()).contains("for writing"), e::toString);
    }
  }

  private static List<String> shown(Reading read) {
    return read.points().stream().map(AnnotatedCsvTest::shown).toList();
  }

  private static String shown(Point point) {
    return point.series()
        + " "
        + point.timestampMs()
        + " "
        + (point.isDouble() ? Double.longBitsToDouble(point.bits()) + "" : point.bits() + "");
  }
}
