package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/backfill.md that load public data sets, each run on a small file of exactly
 * the published shape: it prints what the document shows.
 */
final class PublicDataTest {
  private static final Path DOCUMENT = Path.of("../docs/backfill.md");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  /** What a command must give: points, and a few of the series. */
  private record Expected(long points, long series, List<String> some) {}

  /**
   * A command of the document.
   *
   * @param words without the program's name
   * @param prints the lines that it prints, in order; some are not shown
   */
  private record Shown(List<String> words, List<String> prints) {}

  @Test
  void eachIsLoadedByTheCommandThatTheDocumentShows() throws IOException {
    airQuality();
    householdPower();
    beijing();
    anomalyBenchmark();
    skoltech();
    daily();
    Map<String, Expected> expected = new LinkedHashMap<>();
    expected.put(
        "AirQualityUCI.csv",
        new Expected(96 * 13 - 1, 13, List.of("airquality.CO_GT{site=italy}")));
    expected.put(
        "household_power_consumption.txt",
        new Expected(2 * 24 * 60 * 7 - 7, 7, List.of("power.Global_active_power{site=sceaux}")));
    expected.put(
        "PRSA_data_2010.1.1-2014.12.31.csv",
        new Expected(72 * 7 - 24, 7, List.of("beijing.DEWP{city=beijing}")));
    expected.put(
        "NAB/data",
        new Expected(3 * 300, 3, List.of("nab.value{series=ec2_cpu_utilization_24ae8d}")));
    expected.put(
        "SKAB/data",
        new Expected(
            2 * 120 * 10 + 120 * 8,
            28,
            List.of(
                "skab.Pressure{run=valve1-0}", "skab.Pressure{run=anomaly-free-anomaly-free}")));
    expected.put(
        "2024.csv",
        new Expected(31 * 4, 4, List.of("ghcn.daily{element=TMAX,station=AE000041196}")));
    List<Shown> commands = commands();
    assertEquals(
        List.copyOf(expected.keySet()),
        commands.stream().map(each -> each.words().get(each.words().size() - 1)).toList());
    for (Shown command : commands) {
      List<String> words = command.words();
      String input = words.get(words.size() - 1);
      Expected wanted = Objects.requireNonNull(expected.get(input), input);
      List<String> here = new ArrayList<>(words.subList(0, words.size() - 1));
      here.add(directory.resolve(input).toString());
      JsonNode plan = plan(here);
      assertEquals(wanted.points(), plan.get("points").asLong(), input + plan);
      assertEquals(0, plan.get("rejected").asLong(), input + plan);
      assertEquals(wanted.series(), plan.get("series_at_least").asLong(), input + plan);
      for (String series : wanted.some()) {
        assertTrue(shows(here, series), () -> series + " is not in " + plan);
      }
      List<String> printed = run(here).replace(directory + "/", "").lines().toList();
      assertEquals(
          command.prints(), printed.stream().filter(command.prints()::contains).toList(), input);
    }
  }

  /** Whether the command loads a series. */
  private boolean shows(List<String> words, String series) throws IOException {
    List<String> only = new ArrayList<>(words);
    String tags = series.substring(series.indexOf('{') + 1, series.length() - 1);
    for (String tag : tags.split(",", -1)) {
      only.add(0, "--where=" + tag);
    }
    return plan(only).get("first_series").toString().contains(series);
  }

  private static JsonNode plan(List<String> words) throws IOException {
    return new ObjectMapper().readTree(run(words, "--dry-run", "--json")).get("result");
  }

  /** What a command prints; of JSON the result alone, else its messages first. */
  private static String run(List<String> words, String... more) {
    List<String> command = new ArrayList<>(List.of("load", "--sink", "null"));
    command.addAll(List.of(more));
    command.addAll(words);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(command.toArray(String[]::new));
    assertEquals(ExitCode.OK.code(), code, words + ": " + err + out);
    return more.length > 0 ? out.toString() : err + out.toString();
  }

  /** The commands of the document's section. */
  private static List<Shown> commands() throws IOException {
    String text = Files.readString(DOCUMENT);
    String section = text.substring(text.indexOf("## Public data sets"));
    int end = section.indexOf("\n## ", 1);
    Pattern block =
        Pattern.compile("```\n[$] [.]/packhorse load (.*?[^\\\\])\n(.*?)```", Pattern.DOTALL);
    return block
        .matcher(end < 0 ? section : section.substring(0, end))
        .results()
        .map(
            found ->
                new Shown(
                    words(found.group(1).replace("\\\n", "")), found.group(2).lines().toList()))
        .toList();
  }

  private static List<String> words(String line) {
    return WORD.matcher(line).results().map(PublicDataTest::word).toList();
  }

  private static String word(MatchResult found) {
    return found.group(1) == null ? found.group(2) : found.group(1);
  }

  /** UCI 360: decimal commas, times with dots, -200 for what was not measured, empty columns. */
  private void airQuality() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("Date;Time;CO(GT);PT08.S1(CO);NMHC(GT);C6H6(GT);PT08.S2(NMHC);NOx(GT);");
    text.append("PT08.S3(NOx);NO2(GT);PT08.S4(NO2);PT08.S5(O3);T;RH;AH;;\r\n");
    for (int hour = 0; hour < 96; hour++) {
      text.append(
          String.format(Locale.ROOT, "%02d/03/2004;%02d.00.00;", 11 + hour / 24, hour % 24));
      text.append(hour == 50 ? "-200" : "2," + hour % 10).append(";1360;150;11,").append(hour % 10);
      text.append(";1046;166;1056;113;1692;1268;13,6;48,9;0,75").append(10 + hour % 90);
      text.append(";;\r\n");
    }
    write("AirQualityUCI.csv", text);
  }

  /** UCI 235: a question mark, or nothing, for what was not measured. */
  private void householdPower() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("Date;Time;Global_active_power;Global_reactive_power;Voltage;Global_intensity;");
    text.append("Sub_metering_1;Sub_metering_2;Sub_metering_3\r\n");
    for (int minute = 0; minute < 2 * 24 * 60; minute++) {
      int day = 16 + minute / 1440;
      int hour = minute / 60 % 24;
      text.append(String.format(Locale.ROOT, "%d/12/2006;%02d:%02d:00;", day, hour, minute % 60));
      text.append(
          minute == 2000
              ? "?;?;?;?;?;?;"
              : "4.21" + minute % 10 + ";0.418;234.840;18.400;0.000;1.000;17.000");
      text.append("\r\n");
    }
    write("household_power_consumption.txt", text);
  }

  /** UCI 381: year, month, day and hour in columns of their own, NA at the beginning. */
  private void beijing() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("No,year,month,day,hour,pm2.5,DEWP,TEMP,PRES,cbwd,Iws,Is,Ir\n");
    String[] winds = {"NW", "NW", "cv", "SE"};
    for (int hour = 0; hour < 72; hour++) {
      text.append(hour + 1).append(",2010,1,").append(1 + hour / 24).append(',').append(hour % 24);
      text.append(',').append(hour < 24 ? "NA" : "" + (100 + hour));
      text.append(",-").append(21 - hour % 5).append(",-11,1021,").append(winds[hour % 4]);
      text.append(',').append(1.79 + hour).append(",0,0\n");
    }
    write("PRSA_data_2010.1.1-2014.12.31.csv", text);
  }

  /** A file for each series, in folders, with a README among them. */
  private void anomalyBenchmark() throws IOException {
    for (String name :
        List.of(
            "realAWSCloudwatch/ec2_cpu_utilization_24ae8d",
            "realTweets/Twitter_volume_AAPL",
            "artificialNoAnomaly/art_daily_no_noise")) {
      StringBuilder text = new StringBuilder("timestamp,value\n");
      for (int i = 0; i < 300; i++) {
        text.append(
            String.format(
                Locale.ROOT,
                "2014-02-%02d %02d:%02d:00,0.%d%n",
                14 + i / 288,
                i / 12 % 24,
                i * 5 % 60,
                130 + i + name.length()));
      }
      write("NAB/data/" + name + ".csv", text);
    }
    write("NAB/data/README.md", new StringBuilder("# Data\n\nOf many kinds, labelled.\n"));
  }

  /** A file for each run, with semicolons; those of the folder anomaly-free lack two columns. */
  private void skoltech() throws IOException {
    String header =
        "datetime;Accelerometer1RMS;Accelerometer2RMS;Current;Pressure;Temperature;Thermocouple;"
            + "Voltage;Volume Flow RateRMS";
    int file = 0;
    for (String name : List.of("valve1/0", "valve1/1", "anomaly-free/anomaly-free")) {
      boolean labelled = name.startsWith("valve");
      StringBuilder text = new StringBuilder(header);
      text.append(labelled ? ";anomaly;changepoint\n" : "\n");
      for (int i = 0; i < 120; i++) {
        text.append(
            String.format(
                Locale.ROOT,
                "2020-03-09 1%d:%02d:%02d;0.026%d;0.040111;1.33020;0.054711;79.3366;26.0199;"
                    + "233.062;%d.0000",
                file,
                14 + i / 60,
                i % 60,
                100 + i,
                31 + i % 2));
        text.append(labelled ? ";0.0;0.0\n" : "\n");
      }
      write("SKAB/data/" + name + ".csv", text);
      file++;
    }
    write("SKAB/data/README.md", new StringBuilder("# About\n\n- valve1: data, 16 files\n"));
  }

  /** GHCN-Daily by year: no header, an element in each row. */
  private void daily() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int day = 1; day <= 31; day++) {
      for (String station : List.of("AE000041196", "USW00094728")) {
        for (String element : List.of("TMAX", "TMIN")) {
          text.append(station).append(",202401").append(String.format(Locale.ROOT, "%02d", day));
          text.append(',').append(element).append(',').append(200 + day).append(",,,S,\n");
        }
      }
    }
    write("2024.csv", text);
  }

  private void write(String name, StringBuilder text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
