package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Inputs that are easily misread: each is loaded as it is meant, or what is wrong is said. */
final class MisleadingInputsTest {
  private static final long START = 1_705_276_800;

  @TempDir private Path folder = Path.of("");

  /**
   * An input and how its load ends.
   *
   * @param says a part of what is printed
   * @param charset of the file
   */
  private record Case(
      String name, String text, String options, ExitCode code, String says, Charset charset) {
    Case(String name, String text, String options, ExitCode code, String says) {
      this(name, text, options, code, says, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return name + " " + options;
    }
  }

  private static String rows(String header, int count, IntFunction<String> row) {
    return header
        + "\n"
        + IntStream.range(0, count).mapToObj(row).collect(Collectors.joining("\n"))
        + "\n";
  }

  private static String minute(int i) {
    return START + 60L * i + ",x," + i;
  }

  static Stream<Case> columns() {
    return Stream.of(
        new Case(
            "late.csv",
            rows("ts,tag,a,b", 1200, i -> minute(i) + "," + (i < 600 ? "" : i)),
            "",
            ExitCode.OK,
            "read 1,800 = packed 1,800"),
        new Case(
            "na_col.csv",
            rows("ts,tag,a,b", 1200, i -> minute(i) + "," + (i < 600 ? "NA" : i)),
            "",
            ExitCode.OK,
            "left out  600 points"),
        new Case(
            "late_tag.csv",
            rows("ts,tag,a,site", 9000, i -> minute(i) + "," + (i < 8000 ? "" : "oslo")),
            "",
            ExitCode.REJECTS,
            "1,000  value is not a number"),
        new Case(
            "zero_col.csv",
            rows("ts,tag,a,b", 1200, i -> minute(i) + "," + (i < 600 ? "OFF" : i)),
            "",
            ExitCode.USAGE,
            "the column 'b' mixes numbers and text"),
        new Case(
            "dupcol.csv",
            rows("ts,tag,v,v", 9, i -> minute(i) + "," + i),
            "",
            ExitCode.USAGE,
            "would both be stored as value v; leave one out with --ignore and its number"),
        new Case(
            "dupcol.csv",
            rows("ts,tag,v,v", 9, i -> minute(i) + "," + (i + 0.5)),
            "--ignore 3",
            ExitCode.OK,
            "read 9 = packed 9"),
        new Case(
            "collide.csv",
            rows("ts,tag,T (C),T [C]", 9, i -> minute(i) + "," + i),
            "",
            ExitCode.USAGE,
            "would both be stored as value T_C"),
        new Case(
            "id_numeric.csv",
            rows("time,sensor_id,v", 90, i -> START + i / 3 + "," + i % 3 + "," + i),
            "--add-tag s=a",
            ExitCode.OK,
            "tags from sensor_id"),
        new Case(
            "bools.csv",
            rows("time,tag,v,on", 9, i -> minute(i) + "," + (i % 2 == 0)),
            "",
            ExitCode.USAGE,
            "--booleans-as-numbers stores such columns as 1 and 0"),
        new Case(
            "bools.csv",
            rows("time,tag,v,on", 9, i -> minute(i) + "," + (i % 2 == 0)),
            "--booleans-as-numbers",
            ExitCode.OK,
            "read 18 = packed 18"),
        new Case(
            "thousands.csv",
            rows("time;s;v", 9, i -> START + i + ";a;1,23" + i),
            "",
            ExitCode.USAGE,
            "--decimal , or --decimal . states which"),
        new Case(
            "padded.csv",
            rows("DATE,STATION,PRCP", 9, i -> "2024-01-0" + (i + 1) + ",US1,    " + i),
            "",
            ExitCode.OK,
            "values from PRCP"),
        new Case(
            "copy.tsv",
            rows("time\ts\tv\tw", 9, i -> START + i + "\ta\t1\t\\N"),
            "",
            ExitCode.OK,
            "values from v, w"));
  }

  static Stream<Case> times() {
    return Stream.of(
        new Case(
            "airq.csv",
            rows("Date;Time;T", 90, i -> 10 + i / 24 + "/03/2004;" + i % 24 + ".00.00;13,6"),
            "--add-tag s=a",
            ExitCode.OK,
            "time from Date, Time (d/M/uuuu H.mm.ss, UTC)"),
        new Case(
            "hhmm.csv",
            rows("Date,Time,v", 90, i -> String.format("2024-01-01,%02d%02d,1", i / 60, i % 60)),
            "--add-tag s=a",
            ExitCode.OK,
            "read 90 = packed 90"),
        new Case(
            "hour_int.csv",
            rows("date,hour,v", 23, i -> "2024-01-01," + i + ",1"),
            "--add-tag s=a",
            ExitCode.OK,
            "read 23 = packed 23"),
        new Case(
            "hhmm_h.csv",
            rows("date,time,v", 23, i -> "2024-01-01," + i + "h00,1"),
            "--add-tag s=a",
            ExitCode.USAGE,
            "holds times by its name, but they cannot be read"),
        new Case(
            "mixms.csv",
            rows("time,s,v", 9000, i -> (START + i) * (i < 8000 ? 1000 : 1) + ",a,1"),
            "",
            ExitCode.REJECTS,
            "1,000  timestamp would be before 1973"),
        new Case(
            "days.csv",
            rows("time,s,v", 9, i -> 45306 + i + ".5,a,1"),
            "",
            ExitCode.USAGE,
            "such as 45306.5, are not between 1973 and 2106"));
  }

  static Stream<Case> formats() {
    return Stream.of(
        new Case(
            "inj.lp",
            """
            syslog,host=a message="disk full on sda,
            cpu,host=b usage=99 1700000000000000000
            end",severity=3i 1700000000000000001
            """,
            "--skip-text-fields",
            ExitCode.OK,
            "read 1 = packed 1"),
        new Case(
            "bools.lp",
            "pump,host=a on=true,mode=\"x\",v=1 1700000000000000000\n",
            "--booleans-as-numbers --skip-text-fields",
            ExitCode.OK,
            "read 2 = packed 2"),
        new Case(
            "bools.lp",
            "pump,host=a on=true,mode=\"x\",v=1 1700000000000000000\n",
            "",
            ExitCode.REJECTS,
            "2  value is text, true or false"),
        new Case(
            "vib.lp",
            rows("", 1000, i -> "vib,host=a x=" + i + " 1700000000000" + (100_000 + 100 * i)),
            "",
            ExitCode.REPLACED,
            "points replaced others of this load"),
        new Case(
            "meet.lp",
            "m,h=a T\\ (C)=1 1700000000000000000\nm,h=a T\\ [C]=2 1700000001000000000\n",
            "--replace-characters",
            ExitCode.USAGE,
            "'m.T (C)' and 'm.T [C]' would both be stored as m.T__C_"),
        new Case(
            "meet.prom",
            "up{i=\"h:1\"} 1 1700000000000\nup{i=\"h_1\"} 2 1700000001000\n",
            "--replace-characters",
            ExitCode.OK,
            "WARNING   the tag i is 'h:1' and 'h_1' would both be stored as h_1"),
        new Case(
            "promtool.txt",
            "{__name__=\"up\", instance=\"h\"} 1 1700000100000\n",
            "",
            ExitCode.OK,
            "read 1 = packed 1"),
        new Case(
            "escape.prom",
            "m{a=\"y\\d\"} 1 1700000000000\n",
            "",
            ExitCode.USAGE,
            "the tag a is 'y\\d'"),
        new Case(
            "garbage.json", "[[[[\n,,,,\n", "", ExitCode.USAGE, "not a JSON object with metric"),
        new Case(
            "grafana.csv",
            rows("\"Time\",\"cpu {host=\"\"a\"\"}\"", 9, i -> "2024-01-01 00:0" + i + ":00," + i),
            "--add-tag s=a",
            ExitCode.OK,
            "time from Time (iso, UTC); values from cpu {host=\"a\"}"),
        new Case(
            "excel.csv",
            "sep=;\r\ntime;site;v\r\n2024-01-01 00:00;a;1,5\r\n2024-01-01 00:01;a;2,5\r\n",
            "",
            ExitCode.OK,
            "separated by ';' without its first line with decimal commas; time from time"),
        new Case(
            "excel_tab.csv",
            "\ufeff\"sep=\t\"\r\ntime\tsite\tv\r\n2024-01-01 00:00\ta\t1\r\n",
            "",
            ExitCode.OK,
            "read 1 = packed 1"),
        new Case(
            "text.txt",
            "pumps of the plant\nas they were in May\n",
            "",
            ExitCode.USAGE,
            "Its first line is 'pumps of the plant'. If it is a table, --skip-lines N says"),
        new Case(
            "old_mac.csv",
            "time,s,v\r1700000000,a,1\r1700000060,a,2\r",
            "",
            ExitCode.USAGE,
            "lines that end with a carriage return alone"),
        new Case(
            "latin1.csv",
            "time,Raum,v\n1700000000,Büro,1\n",
            "",
            ExitCode.USAGE,
            "iconv -f WINDOWS-1252 -t UTF-8",
            StandardCharsets.ISO_8859_1),
        new Case(
            "utf16.csv",
            "time,Raum,v\n1700000000,a,1\n",
            "",
            ExitCode.USAGE,
            "iconv -f UTF-16 -t UTF-8",
            StandardCharsets.UTF_16));
  }

  @ParameterizedTest
  @MethodSource({"columns", "times", "formats"})
  void isLoadedAsMeantOrSaid(Case given) throws IOException {
    Path file = Files.write(folder.resolve(given.name()), given.text().getBytes(given.charset()));
    List<String> command = new ArrayList<>(List.of("load", "--sink", "null", "--threads", "1"));
    command.addAll(List.of("--rejects", folder.resolve("rejects.tsv").toString()));
    if (!given.options().isEmpty()) {
      command.addAll(List.of(given.options().split(" ", -1)));
    }
    command.add(file.toString());
    StringWriter said = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(command.toArray(String[]::new));
    assertEquals(given.code().code(), code, said.toString());
    assertTrue(said.toString().contains(given.says()), said.toString());
  }
}
