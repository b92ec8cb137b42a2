package io.packhorse.loader.source.table;

import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;

/**
 * A way to write the times of a table, chosen by chance: the columns it takes, the words in them,
 * and the zone that the user has to state.
 *
 * @param columns names of the columns that hold the time
 * @param stepSeconds times are multiples of so many seconds
 * @param millis whether they may have milliseconds
 * @param zone of the local times
 * @param words of an instant, one for each column
 * @param plain whether nobody could read it in another way: a table with it must not be asked about
 */
record RandomTimes(
    List<String> columns,
    int stepSeconds,
    boolean millis,
    ZoneId zone,
    Function<OffsetDateTime, List<String>> words,
    boolean plain) {
  private static final List<String> NAMES =
      List.of("time", "timestamp", "Timestamp", "datetime", "ts", "date_time", "epoch");
  private static final List<String> ODD_NAMES = List.of("Zeit", "measured", "when", "t", "at");
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneOffset.UTC,
          ZoneOffset.UTC,
          ZoneId.of("Europe/Oslo"),
          ZoneId.of("-08:00"),
          ZoneId.of("Asia/Kolkata"));

  /** Patterns of the JDK, the finest step they can show, and whether they say one thing only. */
  private record Form(String pattern, int stepSeconds, boolean plain) {}

  private static final List<Form> LOCAL =
      List.of(
          new Form("uuuu-MM-dd HH:mm:ss", 1, true),
          new Form("uuuu-MM-dd'T'HH:mm:ss", 1, true),
          new Form("uuuu-MM-dd HH:mm", 60, true),
          new Form("uuuu-MM-dd HH:mm:ss.SSS", 0, true),
          new Form("uuuu-MM-dd HH:mm:ss,SSS", 0, false),
          new Form("dd.MM.uuuu HH:mm", 60, true),
          new Form("d.M.uuuu H:mm:ss", 1, true),
          new Form("dd.MM.uuuu HH:mm:ss.SSS", 0, true),
          new Form("dd/MM/uuuu HH:mm", 60, false),
          new Form("MM/dd/uuuu HH:mm:ss", 1, false),
          new Form("M/d/uuuu h:mm a", 60, false),
          new Form("uuuu/MM/dd HH:mm:ss", 1, true),
          new Form("uuuu.MM.dd HH:mm", 60, true),
          new Form("uuuuMMdd HH:mm", 60, true),
          new Form("uuuuMMddHHmmss", 1, true),
          new Form("uuuuMMddHHmmssSSS", 0, true),
          new Form("uuuuMMddHHmm", 60, false),
          new Form("uuuuMMddHH", 3600, false),
          new Form("uuuuMMdd'T'HHmmss", 1, true),
          new Form("d-MMM-uuuu HH:mm", 60, true),
          new Form("d MMM uuuu HH:mm:ss", 1, true),
          new Form("MMM d, uuuu h:mm:ss a", 1, false),
          new Form("EEE MMM ppd HH:mm:ss uuuu", 1, true),
          new Form("dd.MM.uu HH:mm", 60, false),
          new Form("MM/dd/uu HH:mm", 60, false),
          new Form("uu-MM-dd HH:mm:ss", 1, false),
          new Form("dd-MMM-uu HH:mm", 60, true),
          new Form("uuuu-MM-dd", 86_400, true),
          new Form("dd.MM.uuuu", 86_400, true),
          new Form("uuuuMMdd", 86_400, false),
          new Form("MM-dd-uuuu HH:mm", 60, false));

  private static final List<Form> OFFSET =
      List.of(
          new Form("uuuu-MM-dd'T'HH:mm:ssXXX", 1, true),
          new Form("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", 0, true),
          new Form("uuuu-MM-dd HH:mm:ssxx", 1, true),
          new Form("uuuu-MM-dd HH:mm:ss xxx", 1, true),
          new Form("uuuuMMdd'T'HHmmssXX", 1, true),
          new Form("dd.MM.uuuu HH:mm:ss xxx", 1, true),
          new Form("EEE, d MMM uuuu HH:mm:ss xx", 1, true),
          new Form("dd/MMM/uuuu:HH:mm:ss xx", 1, true));

  private static final List<Form> UTC =
      List.of(
          new Form("uuuu-MM-dd HH:mm:ss 'UTC'", 1, true),
          new Form("uuuu-MM-dd HH:mm:ss 'Z'", 1, true),
          new Form("uuuu-MM-dd HH:mm:ss 'GMT'", 1, true),
          new Form("dd.MM.uuuu HH:mm 'UTC'", 60, true),
          new Form("EEE, d MMM uuuu HH:mm:ss 'GMT'", 1, true),
          new Form("EEE MMM ppd HH:mm:ss 'UTC' uuuu", 1, true));

  private static final List<Form> DATES =
      List.of(
          new Form("uuuu-MM-dd", 0, true),
          new Form("dd.MM.uuuu", 0, true),
          new Form("d/M/uuuu", 0, false),
          new Form("M/d/uuuu", 0, false),
          new Form("uuuuMMdd", 0, false),
          new Form("uuuu/MM/dd", 0, true),
          new Form("dd.MM.uu", 0, false));

  private static final List<Form> TIMES_OF_DAY =
      List.of(
          new Form("HH:mm", 60, true),
          new Form("HH:mm:ss", 1, true),
          new Form("HH:mm:ss.SSS", 0, true),
          new Form("HH.mm.ss", 1, false),
          new Form("HHmm", 60, false),
          new Form("HHmmss", 1, false),
          new Form("H", 3600, false),
          new Form("h:mm a", 60, false));

  static RandomTimes of(Random random) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> epoch(random);
      case 2, 3, 4, 5 -> local(random);
      case 6 -> withOffset(random);
      case 7 -> single(random, pick(random, UTC), ZoneOffset.UTC);
      case 8, 9 -> dateAndTime(random);
      case 10 -> parts(random);
      default -> odd(random);
    };
  }

  static <T> T pick(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static String name(Random random) {
    return random.nextInt(5) == 0 ? pick(random, ODD_NAMES) : pick(random, NAMES);
  }

  private static RandomTimes epoch(Random random) {
    String name = name(random);
    int kind = random.nextInt(5);
    Function<OffsetDateTime, Long> millis = time -> time.toInstant().toEpochMilli();
    Function<OffsetDateTime, String> word =
        switch (kind) {
          case 0 -> time -> "" + time.toEpochSecond();
          case 1 -> time -> "" + millis.apply(time);
          case 2 -> time -> millis.apply(time) + "000";
          case 3 -> time -> millis.apply(time) + "000000";
          default ->
              time ->
                  time.toEpochSecond()
                      + String.format(Locale.ROOT, ".%03d", millis.apply(time) % 1000);
        };
    boolean plain = NAMES.contains(name);
    return new RandomTimes(
        List.of(name),
        kind == 0 ? 1 : 0,
        kind > 0,
        pick(random, ZONES),
        time -> List.of(word.apply(time)),
        plain);
  }

  private static RandomTimes local(Random random) {
    return single(random, pick(random, LOCAL), pick(random, ZONES));
  }

  private static RandomTimes withOffset(Random random) {
    // The offset in the word counts, whatever zone is stated.
    RandomTimes stated = single(random, pick(random, OFFSET), pick(random, ZONES));
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(1800 * (random.nextInt(49) - 24));
    return new RandomTimes(
        stated.columns,
        stated.stepSeconds,
        stated.millis,
        stated.zone,
        time -> stated.words.apply(time.withOffsetSameInstant(offset)),
        stated.plain);
  }

  private static RandomTimes single(Random random, Form form, ZoneId zone) {
    DateTimeFormatter writer = DateTimeFormatter.ofPattern(form.pattern(), Locale.ENGLISH);
    String name = name(random);
    boolean digits = form.pattern().matches("[uMdHms]+") || form.pattern().contains("SSS");
    return new RandomTimes(
        List.of(name),
        Math.max(1, form.stepSeconds()),
        form.stepSeconds() == 0,
        zone,
        time -> List.of(writer.format(time)),
        form.plain() && (NAMES.contains(name) || !digits));
  }

  private static RandomTimes dateAndTime(Random random) {
    Form date = pick(random, DATES);
    Form timeOfDay = pick(random, TIMES_OF_DAY);
    boolean hour = timeOfDay.pattern().equals("H");
    List<String> names =
        switch (random.nextInt(4)) {
          case 0 -> List.of("Date", hour ? "Hour" : "Time");
          case 1 -> List.of("day", hour ? "hour" : "time");
          case 2 -> List.of("Datum", hour ? "hr" : "Uhrzeit");
          default -> List.of("date", hour ? "hour" : "time");
        };
    DateTimeFormatter first = DateTimeFormatter.ofPattern(date.pattern(), Locale.ENGLISH);
    DateTimeFormatter second = DateTimeFormatter.ofPattern(timeOfDay.pattern(), Locale.ENGLISH);
    return new RandomTimes(
        names,
        Math.max(1, timeOfDay.stepSeconds()),
        timeOfDay.stepSeconds() == 0,
        pick(random, ZONES),
        time -> List.of(first.format(time), second.format(time)),
        date.plain() && timeOfDay.plain() && !names.contains("Datum"));
  }

  private static RandomTimes parts(Random random) {
    List<String> names =
        new ArrayList<>(
            switch (random.nextInt(3)) {
              case 0 -> List.of("year", "month", "day", "hour", "minute", "second");
              case 1 -> List.of("Year", "Month", "Day", "Hour", "Minute", "Second");
              default -> List.of("YEAR", "MO", "DY", "HR", "MI", "SEC");
            });
    int count = 3 + random.nextInt(4);
    int[] steps = {86_400, 3600, 60, 1};
    return new RandomTimes(
        names.subList(0, count),
        steps[count - 3],
        false,
        pick(random, ZONES),
        time ->
            List.of(
                    "" + time.getYear(),
                    "" + time.getMonthValue(),
                    "" + time.getDayOfMonth(),
                    "" + time.getHour(),
                    "" + time.getMinute(),
                    "" + time.getSecond())
                .subList(0, count),
        !names.contains("MO"));
  }

  /** Ways that a reader may mistake for others. */
  private static RandomTimes odd(Random random) {
    ZoneId zone = pick(random, ZONES);
    Function<OffsetDateTime, String> date = time -> time.toLocalDate().toString();
    return switch (random.nextInt(7)) {
      case 0 -> hours(zone, true);
      case 1 -> hours(zone, false);
      case 2 -> {
        DateTimeFormatter half = DateTimeFormatter.ofPattern("hh:mm a", Locale.ENGLISH);
        yield new RandomTimes(
            List.of("date", "time", "ampm"),
            60,
            false,
            zone,
            time -> {
              String[] words = half.format(time).split(" ", -1);
              return List.of(date.apply(time), words[0], words[1]);
            },
            false);
      }
      case 3 ->
          new RandomTimes(
              List.of("time", pick(random, List.of("tz", "timezone", "utc_offset"))),
              60,
              false,
              ZoneOffset.UTC,
              time ->
                  List.of(
                      date.apply(time.withOffsetSameInstant(ZoneOffset.ofHours(2)))
                          + " "
                          + time.withOffsetSameInstant(ZoneOffset.ofHours(2)).toLocalTime(),
                      "+02:00"),
              false);
      case 4 ->
          new RandomTimes(
              List.of("year", "month", "day", "time"),
              60,
              false,
              zone,
              time ->
                  List.of(
                      "" + time.getYear(),
                      "" + time.getMonthValue(),
                      "" + time.getDayOfMonth(),
                      time.toLocalTime().toString()),
              false);
      case 5 ->
          new RandomTimes(
              List.of("time", "ms"),
              1,
              true,
              zone,
              time ->
                  List.of(
                      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").format(time),
                      "" + time.get(ChronoField.MILLI_OF_SECOND)),
              false);
      default ->
          new RandomTimes(
              List.of("year", "month", "day", "hour"),
              3600,
              false,
              zone,
              time ->
                  List.of(
                      String.format(Locale.ROOT, "%02d", time.getYear() % 100),
                      "" + time.getMonthValue(),
                      "" + time.getDayOfMonth(),
                      "" + time.getHour()),
              false);
    };
  }

  /** Hours from 1 to 24 of the day that ends with the 24th, or begins with it. */
  private static RandomTimes hours(ZoneId zone, boolean ends) {
    return new RandomTimes(
        List.of("date", "hour"),
        3600,
        false,
        zone,
        time -> {
          OffsetDateTime of = ends ? time.minusHours(1) : time;
          int hour = time.getHour();
          return List.of(of.toLocalDate().toString(), "" + (hour == 0 ? 24 : hour));
        },
        false);
  }

  /** Instants of rows: as fine as can be written, and none that a clock shows twice. */
  OffsetDateTime snapped(OffsetDateTime time) {
    LocalDateTime local = time.atZoneSameInstant(zone).toLocalDateTime();
    long seconds = local.toEpochSecond(ZoneOffset.UTC);
    long whole = seconds - Math.floorMod(seconds, stepSeconds == 0 ? 1 : stepSeconds);
    int milli = millis ? local.get(ChronoField.MILLI_OF_SECOND) : 0;
    LocalDateTime cut = LocalDateTime.ofEpochSecond(whole, 1_000_000 * milli, ZoneOffset.UTC);
    while (zone.getRules().getValidOffsets(cut).size() != 1) {
      cut = cut.plusDays(1);
    }
    return cut.atZone(zone).toOffsetDateTime();
  }
}
