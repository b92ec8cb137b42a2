package io.packhorse.loader.load;

import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.load.InputFindings.Note;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.csv.CsvFormat;
import io.packhorse.loader.source.format.Formats;
import io.packhorse.loader.source.format.ForwardingFormats;
import io.packhorse.loader.source.format.InputFormats;
import io.packhorse.loader.source.format.InputSource;
import io.packhorse.loader.source.format.NotDataException;
import io.packhorse.loader.source.format.PathTags;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.input.InputFiles;
import io.packhorse.loader.source.opentsdb.TwoColumns;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Looks at the beginning of each input before a load begins: says what is passed over and what the
 * paths mean, and refuses what would load nothing, the same twice, or a new series with nearly
 * every record. One thread; used once.
 */
public final class InputSurvey {
  /** Inputs whose records are looked at; of more, the format alone. */
  private static final int SAMPLED_MAX = 200;

  private static final int SHOWN_MAX = 5;

  /** A tag with fewer points says nothing about its values. */
  private static final int POINTS_MIN = 1000;

  /** Points after which a tag has too many values, if half of them were new until then. */
  private static final int POINTS_MAX = 100_000;

  /** Fewer times than this are a picture of many series, not a tag that changes with time. */
  private static final int TIMES_MIN = 3;

  /** Names that files have which lie beside data. */
  private static final Pattern DOCUMENT =
      Pattern.compile(
          "(?i)(readme|licen[cs]e|changelog|copying|notice|citation|makefile)([.].*)?"
              + "|.*[.](md|rst|html?|pdf|png|jpe?g|gif|svg|py|ipynb|r|sh|ya?ml|toml|xml|xlsx?|docx?"
              + "|zip|sql|db|sqlite|ini|cfg|conf|bib|tex)");

  private static final Set<Reason> OF_NAMES =
      EnumSet.of(
          Reason.NAME_CHARACTER,
          Reason.NAME_NOT_LATIN_1,
          Reason.NOT_UTF_8,
          Reason.NO_TAG,
          Reason.TOO_MANY_TAGS);

  private static final Set<Reason> OF_SHAPE =
      EnumSet.of(
          Reason.JSON_MALFORMED,
          Reason.QUERY_MALFORMED,
          Reason.LINE_PROTOCOL_MALFORMED,
          Reason.SAMPLE_MALFORMED,
          Reason.TOO_FEW_WORDS);

  /**
   * What the user accepts.
   *
   * @param duplicates whether files of equal content are loaded
   * @param manyValues keys of tags that may have a new value in nearly every record
   * @param otherKeys whether all other keys may have them, too, with a warning
   */
  public record Accepted(boolean duplicates, Set<String> manyValues, boolean otherKeys) {
    /** Everything that a load would ask about, with a warning: nothing is stored. */
    static final Accepted WITH_WARNINGS = new Accepted(true, Set.of(), true);

    /** What the options of a load accept. */
    public Accepted(boolean duplicates, Set<String> manyValues) {
      this(duplicates, manyValues, false);
    }

    public Accepted {
      manyValues = Set.copyOf(manyValues);
    }
  }

  private final SourceSpec spec;
  private final Accepted accepted;
  private final List<Note> notes = new ArrayList<>();
  private final Announcer announcer;
  private final SeriesNames names = new SeriesNames();
  private final Formats formats;
  private final WatchedFormats watched;
  private final List<String> withoutRows = new ArrayList<>();
  private final List<String> notData = new ArrayList<>();

  private InputSurvey(
      SourceSpec spec,
      Accepted accepted,
      Optional<Path> saveMapping,
      UnaryOperator<InputFormats> other,
      Announcer announcer) {
    this.spec = spec;
    this.accepted = accepted;
    this.announcer = new NotingAnnouncer(notes, announcer);
    this.formats = new Formats(spec, names);
    this.watched =
        new WatchedFormats(
            new AnnouncingFormats(other.apply(formats), saveMapping, Announcer.SILENT));
  }

  /**
   * Looks at inputs.
   *
   * @param saveMapping where the mapping of the first table is written, if anywhere, also of one
   *     that is not sure
   * @return those to load, with what was said of them; pipes are not looked at
   * @throws InputException if an input cannot be loaded as it is; the message says what to do
   */
  public static LoadInputs of(
      InputFiles.Selection selection,
      SourceSpec spec,
      Accepted accepted,
      Optional<Path> saveMapping,
      Announcer announcer)
      throws IOException, InterruptedException {
    return of(selection, spec, accepted, saveMapping, UnaryOperator.identity(), announcer);
  }

  /**
   * Looks at inputs, of which some may have another format.
   *
   * @param other decides that, and asks its argument about the others
   */
  static LoadInputs of(
      InputFiles.Selection selection,
      SourceSpec spec,
      Accepted accepted,
      Optional<Path> saveMapping,
      UnaryOperator<InputFormats> other,
      Announcer announcer)
      throws IOException, InterruptedException {
    InputSurvey survey = new InputSurvey(spec, accepted, saveMapping, other, announcer);
    selection.notes().forEach(note -> survey.announcer.say("skipped", note));
    List<Input> kept = new ArrayList<>();
    for (Input input : selection.inputs()) {
      boolean named = !selection.searched().contains(input);
      if (!input.isPlainFile()) {
        survey.announcer.say(
            "unchecked",
            input.name()
                + " can be read only once: it is not checked beforehand, what is wrong with it"
                + " shows while it is read");
      }
      if (!input.isPlainFile() || survey.isLoaded(input, named, kept.size() < SAMPLED_MAX)) {
        kept.add(input);
      }
    }
    survey.sayPassedOver();
    if (kept.isEmpty() && survey.withoutRows.isEmpty()) {
      throw new InputException("None of the files is data in a supported format");
    }
    survey.sayPaths(kept);
    survey.sayTimes();
    survey.checkEqualFiles(kept);
    survey.formats.refusedNames().forEach(problem -> survey.announcer.say("names", problem));
    survey.sayNamesThatMeet();
    // A load of nothing is one, too: it ends well.
    return new LoadInputs(kept.isEmpty() ? selection.inputs() : kept, survey.notes, saveMapping);
  }

  /** Knows how the last input was read. */
  private static final class WatchedFormats extends ForwardingFormats {
    /** Whether tags could have many values, and nothing else looks at them. */
    private boolean tagged;

    WatchedFormats(InputFormats formats) {
      super(formats);
    }

    @Override
    public RecordFormat choose(InputHead head) throws InputException {
      RecordFormat chosen = super.choose(head);
      tagged = !(chosen instanceof CsvFormat || chosen instanceof TwoColumns);
      return chosen;
    }

    @Override
    public ParquetTable choose(ParquetFile file) throws IOException {
      tagged = false;
      return super.choose(file);
    }
  }

  private boolean isLoaded(Input input, boolean named, boolean sampled)
      throws IOException, InterruptedException {
    Path fileName = input.opener().file().map(Path::getFileName).orElse(Path.of(input.name()));
    boolean document = DOCUMENT.matcher(fileName.toString()).matches();
    try {
      return sampled ? sample(input, named, document) : inspect(input);
    } catch (NotDataException e) {
      if (named) {
        throw e;
      }
      notData.add(input.name());
      return false;
    } catch (InputException e) {
      if (!named && document) {
        notData.add(input.name());
        return false;
      }
      throw e;
    }
  }

  private boolean inspect(Input input) throws IOException, InterruptedException {
    InputSource.inspect(input, watched, new Points(spec.rules(), Rejects.counted()));
    return true;
  }

  /** Reads the first records; whether there are any to load. */
  private boolean sample(Input input, boolean named, boolean document)
      throws IOException, InterruptedException {
    Rejects rejects = Rejects.counted();
    Points points = new Points(spec.rules(), rejects);
    ManyValues values = new ManyValues();
    long read = 0;
    try (InputSource source = new InputSource(List.of(input), watched, points)) {
      PointBatch batch = source.next();
      while (batch != null) {
        read += batch.points();
        if (watched.tagged) {
          values.add(batch);
        }
        boolean seen = read + rejects.total() + points.leftOut() > 0;
        if (seen && (!watched.tagged || !values.isSuspicious() || values.points >= POINTS_MAX)) {
          break;
        }
        batch = source.next();
      }
    }
    if (read + points.leftOut() == 0) {
      if (rejects.total() == 0) {
        if (named && document) {
          throw new NotDataException(
              input.name() + " is not data: it has no record in a supported format");
        }
        (document && !named ? notData : withoutRows).add(input.name());
        return false;
      }
      refuseRejects(input, named && !document, rejects);
    }
    values.refuse(input);
    return true;
  }

  /** Where nothing of a sample can be loaded, and no other part of the file will be different. */
  private void refuseRejects(Input input, boolean sure, Rejects rejects) throws InputException {
    Set<Reason> reasons = rejects.byReason().keySet();
    String first = rejects.first().get(0);
    if (OF_NAMES.containsAll(reasons)) {
      String problem = String.join("; ", formats.refusedNames());
      throw new InputException(
          "Every record at the beginning of "
              + input.name()
              + " is rejected: "
              + (problem.isEmpty() ? first : problem));
    }
    if (spec.format().isEmpty() && (!sure || OF_SHAPE.containsAll(reasons))) {
      throw new NotDataException(
          input.name()
              + " does not look like data, no record at its beginning is one: "
              + first
              + ". If it is data, state its format with --format");
    }
  }

  private void sayPassedOver() {
    say(withoutRows, "without rows");
    say(notData, notData.size() == 1 ? "that is not data" : "that are not data");
  }

  private void say(List<String> passedOver, String why) {
    int count = passedOver.size();
    if (count > 0) {
      announcer.say(
          "skipped", count + (count == 1 ? " file " : " files ") + why + ": " + some(passedOver));
    }
  }

  private static String some(List<String> all) {
    int more = all.size() - SHOWN_MAX;
    return all.stream().limit(SHOWN_MAX).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** Shows the tags that the paths of files give, if they differ or nobody asked for them. */
  private void sayPaths(List<Input> inputs) throws InputException {
    Map<String, Set<String>> values = new TreeMap<>();
    Set<String> notTags = new TreeSet<>();
    List<String> lines = new ArrayList<>();
    for (Input input : inputs) {
      PathTags path = PathTags.of(spec, input.name(), input.opener().file());
      notTags.addAll(path.notTags().stream().map(each -> each.replaceFirst("=.*", "")).toList());
      if (!path.tags().equals(spec.rules().addedTags())) {
        path.tags()
            .forEach(
                (key, value) -> values.computeIfAbsent(key, none -> new HashSet<>()).add(value));
        lines.add(input.name() + " adds " + new TreeMap<>(path.tags()));
      }
    }
    lines.stream().limit(SHOWN_MAX).forEach(line -> announcer.say("path", line));
    if (lines.size() > SHOWN_MAX) {
      announcer.say(
          "path",
          "... and "
              + (lines.size() - SHOWN_MAX)
              + " more files; values in all: "
              + values.entrySet().stream()
                  .map(each -> each.getKey() + " " + HumanNumbers.count(each.getValue().size()))
                  .collect(Collectors.joining(", ")));
    }
    if (!notTags.isEmpty()) {
      announcer.say(
          "path",
          "folders named "
              + notTags.stream().map(key -> key + "=...").collect(Collectors.joining(", "))
              + " are a part of the time and no tag");
    }
  }

  /** Fields that meet would replace each other; of tags, series may be meant to become one. */
  private void sayNamesThatMeet() throws InputException {
    Optional<String> metrics = formats.metricsThatMeet();
    if (metrics.isPresent() && !accepted.otherKeys()) {
      throw new InputException(metrics.get());
    }
    metrics.ifPresent(problem -> announcer.say("WARNING", problem));
    formats.tagsThatMeet().forEach(problem -> announcer.say("WARNING", problem));
  }

  private void sayTimes() {
    ZoneId zone = ZoneId.of(spec.tables().zone());
    if (spec.rules().fromMs() > 0) {
      announcer.say("from", shown(spec.rules().fromMs(), zone));
    }
    if (spec.rules().toMs() < Long.MAX_VALUE) {
      announcer.say("to", shown(spec.rules().toMs(), zone));
    }
  }

  private static String shown(long ms, ZoneId zone) {
    Instant time = Instant.ofEpochMilli(ms);
    return time.atZone(zone).toLocalDateTime() + " in " + zone + ", " + time;
  }

  /** Equal files whose paths say the same are the same points twice. */
  private void checkEqualFiles(List<Input> inputs) throws IOException {
    Map<Long, List<Input>> bySize = new LinkedHashMap<>();
    for (Input input : inputs) {
      if (input.isPlainFile() && input.size() > 0) {
        bySize.computeIfAbsent(input.size(), none -> new ArrayList<>()).add(input);
      }
    }
    List<String> pairs = new ArrayList<>();
    boolean sameSeries = false;
    for (List<Input> candidates : bySize.values()) {
      Map<String, Input> byContent = new HashMap<>();
      for (Input input : candidates.size() == 1 ? List.<Input>of() : candidates) {
        Path file = input.opener().file().orElseThrow();
        Input earlier = byContent.putIfAbsent(JobInput.of(input.name(), file).sha256(), input);
        if (earlier != null) {
          pairs.add(input.name() + " = " + earlier.name());
          sameSeries |= tags(input).equals(tags(earlier));
        }
      }
    }
    if (pairs.isEmpty()) {
      return;
    }
    String sentence =
        "files of equal content: "
            + some(pairs)
            + (sameSeries ? ", and of the same tags" : ", whose paths give them different tags");
    if (sameSeries && !accepted.duplicates()) {
      throw new InputException(
          "There are "
              + sentence
              + ": the points of one would replace those of the other; leave one out with"
              + " --exclude, tell them apart with --add-tag 'file={file}', or load both as they"
              + " are with --allow-duplicate-input");
    }
    announcer.say("WARNING", sentence);
  }

  private Map<String, String> tags(Input input) throws InputException {
    return PathTags.of(spec, input.name(), input.opener().file()).tags();
  }

  /** Counts the values of the tags of one input, by metric. */
  private final class ManyValues {
    private final Map<String, OfMetric> metrics = new HashMap<>();
    private int points;

    private final class OfMetric {
      private final Set<Integer> series = new HashSet<>();
      private final Set<Long> times = new HashSet<>();
      private final Map<String, Set<String>> values = new TreeMap<>();
      private int points;

      void add(int number, SeriesName name) {
        if (series.add(number)) {
          for (int tag = 0; tag < name.tags().size(); tag++) {
            values
                .computeIfAbsent(name.tags().key(tag), none -> new HashSet<>())
                .add(name.tags().value(tag));
          }
        }
      }

      /**
       * Whether half of the points have a new value of a tag, and not because all are of a time.
       */
      boolean isSuspicious(String key) {
        return !accepted.manyValues().contains(key)
            && points >= POINTS_MIN
            && times.size() >= TIMES_MIN
            && 2 * values.getOrDefault(key, Set.of()).size() >= points;
      }

      boolean isSuspicious() {
        return values.keySet().stream().anyMatch(this::isSuspicious);
      }
    }

    void add(PointBatch batch) {
      for (int run = 0; run < batch.runs(); run++) {
        SeriesName name = names.get(batch.series(run));
        OfMetric metric = metrics.computeIfAbsent(name.metric(), none -> new OfMetric());
        metric.add(batch.series(run), name);
        metric.points += batch.end(run) - batch.start(run);
        points += batch.end(run) - batch.start(run);
        for (int i = batch.start(run); i < batch.end(run); i++) {
          metric.times.add(batch.timestampsMs()[i]);
        }
      }
    }

    boolean isSuspicious() {
      return metrics.values().stream().anyMatch(OfMetric::isSuspicious);
    }

    void refuse(Input input) throws InputException {
      for (Map.Entry<String, OfMetric> metric : metrics.entrySet()) {
        OfMetric seen = metric.getValue();
        for (String key : seen.values.keySet()) {
          if (seen.isSuspicious(key)) {
            String sentence =
                String.format(
                    Locale.ROOT,
                    "%s: the tag %s has %s values in the first %s points of %s. Each value takes a"
                        + " UID that is never given back, and makes a series of its own. Leave it"
                        + " out with --drop-tag %s, or load it as it is with --allow-many-values"
                        + " %s",
                    input.name(),
                    key,
                    HumanNumbers.count(seen.values.getOrDefault(key, Set.of()).size()),
                    HumanNumbers.count(seen.points),
                    metric.getKey(),
                    key,
                    key);
            if (!accepted.otherKeys()) {
              throw new InputException(sentence);
            }
            announcer.say("WARNING", sentence);
          }
        }
      }
    }
  }
}
