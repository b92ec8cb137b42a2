package io.packhorse.loader.source.table;

import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.record.SeriesRules;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A table made by chance: first what it means, point by point, then a text that says so. Nothing of
 * the loader is used to know its meaning.
 */
final class RandomTable {
  /** A point as the user means it, and the line it stands in. */
  record Meant(String series, long timestampMs, String value, int line) {}

  private static final List<String> HOSTS = List.of("alpha", "beta", "gamma9", "d-4", "Pump_7");
  private static final List<String> SITES = List.of("north", "south", "hall.2", "east/1");
  private static final List<String> TAG_NAMES = List.of("host", "site", "room", "area");
  private static final List<String> ID_NAMES =
      List.of("sensor_id", "id", "device", "Station", "node", "meter_id", "deviceId");
  private static final List<String> VALUE_NAMES =
      List.of("temp", "load", "v", "pressure", "PM2.5", "flow_rate", "Temp (C)", "Wind [m/s]");
  private static final List<String> MISSING =
      List.of("", "", "NA", "N/A", "null", "NaN", "nan", "-", "?", "None");
  private static final List<String> GARBAGE = List.of("err", "off", "#VALUE!", "12x", "1.2.3", "~");
  private static final int LATE_BYTES = 140 * 1024;

  private enum Kind {
    INTEGER,
    DECIMAL,
    THREE_DECIMALS,
    EXPONENT,
    THOUSANDS,
    PERCENT,
    BOOLEAN
  }

  private static final Set<Kind> ODD_KINDS = EnumSet.of(Kind.THOUSANDS, Kind.PERCENT, Kind.BOOLEAN);

  private enum Extra {
    NONE,
    ID,
    PADDED_ID,
    SECOND_TIME,
    SECOND_EPOCH,
    CONSTANT_DATE,
    TWO_OF_A_NAME,
    LATE_NUMBERS,
    UNIT,
    BOOLEAN_TAG
  }

  /** A column of values and how it is damaged. */
  private record Values(String name, Kind kind, int decimals, int emptyRows, double gaps) {}

  private final Random random;
  private final long seed;
  private final RandomTimes times;
  private final List<Meant> meant = new ArrayList<>();
  private final Map<Integer, Integer> damaged = new HashMap<>();
  private final StringBuilder text = new StringBuilder();
  private int line = 1;
  private boolean plain = true;

  /** Whether nothing unusual is made on purpose. */
  private final boolean ordinary;

  private final char delimiter;
  private final char decimal;
  private final boolean longTable;
  private final Extra extra;
  private final String missing;

  /** Damage begins far behind what can be looked at before the first row is read. */
  private final boolean late;

  private final List<String> tagNames = new ArrayList<>();
  private final List<Values> values = new ArrayList<>();
  private final List<String> header = new ArrayList<>();
  private Optional<List<String>> statedNames = Optional.empty();
  private Optional<Boolean> statedHeader = Optional.empty();
  private Optional<String> statedComment = Optional.empty();
  private int skipLines;

  RandomTable(long seed) {
    this.seed = seed;
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    random.nextInt();
    this.ordinary = chance(3);
    RandomTimes some = RandomTimes.of(random);
    while (ordinary && !some.plain()) {
      some = RandomTimes.of(random);
    }
    this.times = some;
    this.delimiter = pick(List.of(',', ',', ',', ';', ';', '\t', '|', ' '));
    this.decimal = (delimiter != ',' && chance(3)) || chance(30) ? ',' : '.';
    this.longTable = chance(7);
    this.late = !ordinary && chance(30);
    this.extra = !ordinary && chance(3) ? pick(List.of(Extra.values())) : Extra.NONE;
    String word = pick(MISSING);
    this.missing = word.isEmpty() && delimiter == ' ' ? "NA" : word;
    plain &= times.plain() && extra == Extra.NONE && (delimiter == '.' || decimal == '.');
    chooseColumns();
    write();
  }

  private <T> T pick(List<T> of) {
    return RandomTimes.pick(random, of);
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  long seed() {
    return seed;
  }

  String text() {
    return text.toString();
  }

  List<Meant> meant() {
    return meant;
  }

  /** Number of unreadable fields by line number; each must be counted as a reject. */
  Map<Integer, Integer> damaged() {
    return damaged;
  }

  /** Whether it is written as most tables are, and must be loaded without a question. */
  boolean isPlain() {
    return plain;
  }

  /** What the user says of it. */
  SourceSpec spec() {
    ColumnOptions columns =
        new ColumnOptions(
            Optional.empty(),
            statedHeader,
            Optional.empty(),
            List.of(),
            skipLines,
            statedComment,
            List.of(),
            statedNames.orElse(List.of()),
            List.of());
    SeriesRules rules =
        new SeriesRules(
            Map.of(),
            Map.of(),
            Map.of("src", "x"),
            Set.of(),
            Map.of(),
            false,
            SeriesRules.TAGS_MAX,
            0,
            Long.MAX_VALUE);
    return new SourceSpec(
        Optional.of(Format.CSV),
        Optional.empty(),
        rules,
        new TableOptions(
            Optional.empty(), Optional.empty(), times.zone().getId(), Dst.REJECT, columns));
  }

  private void chooseColumns() {
    List<String> names = new ArrayList<>(TAG_NAMES);
    Collections.shuffle(names, random);
    tagNames.addAll(names.subList(0, random.nextInt(3)));
    if (extra == Extra.ID || extra == Extra.PADDED_ID) {
      tagNames.add(pick(ID_NAMES));
    } else if (extra == Extra.LATE_NUMBERS) {
      tagNames.add("state");
    } else if (extra == Extra.UNIT) {
      tagNames.add("unit");
    }
    List<String> metrics = new ArrayList<>(VALUE_NAMES);
    Collections.shuffle(metrics, random);
    int count = longTable ? 1 : 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      values.add(chooseValues(longTable ? "value" : metrics.get(i)));
    }
    if (extra == Extra.TWO_OF_A_NAME && !longTable) {
      values.add(chooseValues(values.get(0).name()));
    }
  }

  private Values chooseValues(String name) {
    Kind kind =
        !ordinary && chance(12)
            ? pick(List.of(Kind.values()))
            : pick(List.of(Kind.INTEGER, Kind.DECIMAL, Kind.DECIMAL, Kind.THREE_DECIMALS));
    plain &= !ODD_KINDS.contains(kind);
    double gaps = chance(3) ? 0.15 : 0;
    int emptyRows = chance(12) ? random.nextInt(12) : 0;
    if (longTable) {
      emptyRows = 0;
    }
    return new Values(name, kind, 1 + random.nextInt(5), emptyRows, gaps);
  }

  /** The words of a row by the name of their column; the text of missing ones is empty. */
  private record Row(
      OffsetDateTime time, List<String> tags, List<String> words, List<String> numbers) {}

  private void write() {
    List<Row> rows = rows();
    List<Integer> order = columnOrder();
    boolean headed = ordinary || !chance(8);
    if (chance(10)) {
      text.append("# made by a logger\n");
      line++;
    }
    if (!ordinary && chance(20)) {
      text.append("Pumps of the north\n");
      line++;
      skipLines = chance(2) ? line - 1 : 0;
      plain &= skipLines > 0;
    }
    if (chance(12)) {
      // Then those with # are no comments.
      statedComment = Optional.of("%");
      plain &= line == 1 || skipLines > 0;
    }
    List<String> names = new ArrayList<>();
    order.forEach(column -> names.add(header.get(column)));
    boolean needsNames = longTable || times.columns().size() > 1 || extra != Extra.NONE;
    if (headed) {
      append(names);
    } else {
      switch (needsNames ? 2 : random.nextInt(3)) {
        case 0 -> plain = false;
        case 1 -> {
          statedHeader = Optional.of(false);
          plain = false;
          nameByPlace(order);
        }
        default -> statedNames = Optional.of(names);
      }
    }
    boolean repeatsHeader = headed && chance(10);
    for (Row row : rows) {
      if (chance(40)) {
        text.append(chance(2) || delimiter == ' ' ? "" : separators(order.size())).append('\n');
        line++;
      }
      if (statedComment.isPresent() && chance(5)) {
        text.append("% restarted\n");
        line++;
      }
      if (repeatsHeader && chance(10)) {
        append(names);
      }
      writeRow(row, order);
    }
  }

  private String separators(int columns) {
    return String.valueOf(delimiter).repeat(columns - 1);
  }

  /** Without names the columns are called by their place. */
  private void nameByPlace(List<Integer> order) {
    int timeColumns = times.columns().size();
    for (int i = 0; i < tagNames.size(); i++) {
      tagNames.set(i, "column" + (order.indexOf(timeColumns + i) + 1));
    }
    int metricColumn = longTable ? 1 : 0;
    for (int i = 0; i < values.size(); i++) {
      Values of = values.get(i);
      int column = timeColumns + tagNames.size() + metricColumn + i;
      values.set(
          i,
          new Values(
              "column" + (order.indexOf(column) + 1),
              of.kind(),
              of.decimals(),
              of.emptyRows(),
              of.gaps()));
    }
  }

  private List<Integer> columnOrder() {
    header.addAll(times.columns());
    header.addAll(tagNames);
    if (longTable) {
      header.add("metric");
    }
    values.forEach(each -> header.add(each.name()));
    switch (extra) {
      case SECOND_TIME, SECOND_EPOCH ->
          header.add(pick(List.of("received", "updated_at", "timestamp2", "end", "date")));
      case CONSTANT_DATE -> header.add(pick(List.of("installed", "month", "since")));
      case BOOLEAN_TAG -> header.add(pick(List.of("on", "alarm", "ok")));
      default -> {}
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, header.size()).boxed().toList());
    if (chance(2)) {
      Collections.shuffle(order, random);
      boolean apart = times.columns().size() > 1;
      plain &= !apart;
    }
    return order;
  }

  private List<Row> rows() {
    long start = 1_000_000_000L + random.nextInt(900_000_000);
    long step = pick(List.of(1L, 10L, 60L, 300L, 3600L, 86_400L));
    step = Math.max(step, times.stepSeconds());
    boolean jitter = chance(3);
    int instants = late ? 3500 : 2 + random.nextInt(20);
    boolean all = chance(2) || instants < 4;
    List<List<String>> kinds = tagValues();
    List<Row> rows = new ArrayList<>();
    Set<List<Object>> seen = new HashSet<>();
    for (int i = 0; i < instants; i++) {
      long millis =
          1000 * (start + step * i + (jitter ? random.nextLong(step) : 0)) + random.nextInt(1000);
      OffsetDateTime time =
          times.snapped(OffsetDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC));
      for (List<String> tags : kinds) {
        if ((all || chance(kinds.size())) && seen.add(List.of(time.toInstant(), tags))) {
          rows.add(row(time, tags));
        }
      }
    }
    switch (random.nextInt(3)) {
      case 0 -> Collections.reverse(rows);
      case 1 -> Collections.shuffle(rows, random);
      default -> {}
    }
    if (chance(15)) {
      rows.addAll(List.copyOf(rows.subList(0, rows.size() / 2)));
      plain &= values.stream().allMatch(each -> each.gaps() == 0 && each.emptyRows() == 0);
    }
    return rows;
  }

  /** Combinations of tag values, each a series. */
  private List<List<String>> tagValues() {
    List<List<String>> kinds = new ArrayList<>();
    int count = tagNames.isEmpty() ? 1 : 1 + random.nextInt(4);
    int first = random.nextInt(5000);
    for (int i = 0; i < count; i++) {
      List<String> tags = new ArrayList<>();
      for (int tag = 0; tag < tagNames.size(); tag++) {
        boolean last = tag == tagNames.size() - 1;
        if (last && extra == Extra.ID) {
          tags.add("" + (first + i));
        } else if (last && extra == Extra.PADDED_ID) {
          tags.add(String.format(Locale.ROOT, "%06d", first + i));
        } else if (last && extra == Extra.UNIT) {
          tags.add(i % 2 == 0 ? "kWh" : "m3");
        } else {
          tags.add(pick(tag % 2 == 0 ? HOSTS : SITES));
        }
      }
      if (!kinds.contains(tags)) {
        kinds.add(tags);
      }
    }
    return kinds;
  }

  /** A row of values; a long table has one point in each. */
  private Row row(OffsetDateTime time, List<String> tags) {
    List<String> words = new ArrayList<>();
    List<String> numbers = new ArrayList<>();
    for (Values each : values) {
      add(each, words, numbers);
    }
    return new Row(time, tags, words, numbers);
  }

  private void add(Values of, List<String> words, List<String> numbers) {
    long unscaled = random.nextInt(2_000_000) - (chance(3) ? 1_000_000L : 0L);
    int scale =
        switch (of.kind()) {
          case INTEGER, PERCENT -> 0;
          case THREE_DECIMALS -> 3;
          // Nobody reads points as thousands where no comma says that they are.
          case THOUSANDS -> of.decimals() % 2 == 0 && decimal == '.' ? 0 : 2;
          default -> of.decimals();
        };
    BigDecimal number = BigDecimal.valueOf(unscaled, scale);
    String plainWord = number.toPlainString();
    switch (of.kind()) {
      case PERCENT -> {
        words.add(unscaled % 100 + "%");
        numbers.add("" + unscaled % 100);
      }
      case BOOLEAN -> {
        words.add(unscaled % 2 == 0 ? "true" : "false");
        numbers.add("none");
      }
      case EXPONENT -> {
        String word = number.unscaledValue() + "e-" + scale;
        words.add(word);
        numbers.add("" + number.doubleValue());
      }
      case THOUSANDS -> {
        String grouped =
            String.format(Locale.ROOT, scale == 0 ? "%,.0f" : "%,.2f", number.doubleValue());
        words.add(decimal == '.' ? grouped : swap(grouped));
        numbers.add(scale == 0 ? plainWord : "" + number.doubleValue());
      }
      default -> {
        words.add(plainWord.replace('.', decimal));
        numbers.add(scale == 0 ? plainWord : "" + number.doubleValue());
      }
    }
  }

  private static String swap(String grouped) {
    return grouped.replace(',', ' ').replace('.', ',').replace(' ', '.');
  }

  private void writeRow(Row row, List<Integer> order) {
    boolean behind = text.length() > LATE_BYTES;
    List<String> words = new ArrayList<>(times.words().apply(row.time()));
    plain &= delimiter != ' ' || words.get(0).indexOf(' ') < 0;
    TreeMap<String, String> tags = new TreeMap<>(Map.of("src", "x"));
    boolean lost = false;
    for (int i = 0; i < tagNames.size(); i++) {
      String word = row.tags().get(i);
      if (extra == Extra.LATE_NUMBERS && i == tagNames.size() - 1 && (behind || chance(30))) {
        word = "" + random.nextInt(100);
        lost = true;
      } else if (extra == Extra.NONE && delimiter != ' ' && chance(30) && !ordinary) {
        word = "";
        plain = false;
      }
      if (!word.isEmpty()) {
        tags.put(tagNames.get(i), word);
      }
      words.add(word);
    }
    String metric = longTable ? pick(List.of("cpu.load", "temp", "wind_speed")) : "";
    if (longTable) {
      words.add(metric);
    }
    long millis = row.time().toInstant().toEpochMilli();
    for (int i = 0; i < values.size(); i++) {
      Values of = values.get(i);
      String word = row.words().get(i);
      boolean early =
          (of.emptyRows() > 0 && line < of.emptyRows() + 3) || (startsLate(i) && !behind);
      boolean gap = early || random.nextDouble() < of.gaps() || (behind && chance(20));
      if (gap) {
        word = missing;
      } else if ((behind || extra == Extra.LATE_NUMBERS) && chance(40)) {
        word = pick(GARBAGE);
        damaged.merge(line, 1, Integer::sum);
        plain = false;
      } else if (lost) {
        damaged.merge(line, 1, Integer::sum);
      } else if (!row.numbers().get(i).equals("none")) {
        String name = longTable ? metric : stored(of.name());
        meant.add(new Meant(name + tags, millis, row.numbers().get(i), line));
      }
      words.add(word);
    }
    addExtra(row, words);
    List<String> inOrder = new ArrayList<>();
    order.forEach(column -> inOrder.add(words.get(column)));
    append(inOrder);
  }

  /** Whether a column of values is empty until late. */
  private boolean startsLate(int column) {
    return late && !longTable && column == 1;
  }

  private void addExtra(Row row, List<String> words) {
    OffsetDateTime later = row.time().plusSeconds(random.nextInt(100_000));
    switch (extra) {
      case SECOND_TIME ->
          words.add(
              header.get(header.size() - 1).equals("date")
                  ? later.toLocalDate().toString()
                  : later.toLocalDate() + "T" + later.toLocalTime().withNano(0) + "Z");
      case SECOND_EPOCH -> words.add("" + later.toEpochSecond());
      case CONSTANT_DATE ->
          words.add(
              row.tags().isEmpty()
                  ? "2003-04"
                  : "200" + row.tags().get(0).length() % 10 + "-05-06");
      case BOOLEAN_TAG -> words.add(chance(2) ? "true" : "false");
      default -> {}
    }
  }

  /** As the documentation says that such names are stored. */
  private static String stored(String name) {
    return switch (name) {
      case "Temp (C)" -> "Temp_C";
      case "Wind [m/s]" -> "Wind_m/s";
      default -> name;
    };
  }

  private void append(List<String> words) {
    int quoting = (int) (seed % 4);
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      boolean needed = word.indexOf(delimiter) >= 0 || (delimiter == ' ' && word.isEmpty());
      boolean quoted = needed || quoting == 1 || (quoting == 2 && i % 2 == 0 && delimiter != ' ');
      text.append(i == 0 ? "" : delimiter == ' ' && chance(3) ? "   " : String.valueOf(delimiter));
      text.append(quoted ? "\"" + word + "\"" : word);
    }
    text.append(seed % 5 == 0 ? "\r\n" : "\n");
    line++;
  }
}
