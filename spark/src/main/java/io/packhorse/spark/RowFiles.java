package io.packhorse.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.packhorse.loader.job.JobFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The rows of a DataFrame as Parquet files, in a folder that is there as a whole or not at all.
 *
 * @param mapping the mapping file for these rows; empty if they have no column of tag maps
 */
record RowFiles(Path folder, Optional<Path> mapping) {
  /** The column that may hold maps of tags. */
  private static final String TAGS = "tags";

  /** Each key becomes a column; OpenTSDB takes 8 tags of a point. */
  private static final int TAG_KEYS_MAX = 200;

  private static final String SCHEMA_FILE = ".schema.json";
  private static final String MAPPING_FILE = ".mapping.json";

  /**
   * Writes the rows, unless an earlier call has written them all.
   *
   * @param job name of their folder below {@code folder}
   * @param options of the load
   * @throws DataFrameLoadException if they cannot be loaded, or other files are there
   */
  static RowFiles write(Dataset<Row> rows, String job, Path folder, List<String> options)
      throws IOException {
    if (!JobFolder.isId(job)) {
      throw refused("'" + job + "' does not name a job: " + JobFolder.ID_RULE);
    }
    if (options.contains("--job")) {
      throw refused("the job has a name already: leave --job out of the options");
    }
    Path files = folder.toAbsolutePath().resolve(job);
    if (!Files.exists(files)) {
      Path writing = files.resolveSibling("." + job + ".writing");
      write(rows, writing, options);
      Files.move(writing, files, StandardCopyOption.ATOMIC_MOVE);
    } else if (!Files.exists(files.resolve(SCHEMA_FILE))
        || !Files.readString(files.resolve(SCHEMA_FILE)).equals(rows.schema().json())) {
      throw refused(
          files
              + " has not been written from these columns: name another job, or remove that folder"
              + " if no job needs it");
    } else {
      System.err.println("rows      " + files + " was written by an earlier call and is loaded");
    }
    Path mapping = files.resolve(MAPPING_FILE);
    return new RowFiles(files, Files.exists(mapping) ? Optional.of(mapping) : Optional.empty());
  }

  private static void write(Dataset<Row> rows, Path writing, List<String> options)
      throws IOException {
    List<String> keys = hasTagMaps(rows.schema()) ? tagKeys(rows) : List.of();
    if (!keys.isEmpty() && options.stream().anyMatch(word -> word.startsWith("--mapping"))) {
      throw refused(
          "--mapping does not go with a column '"
              + TAGS
              + "' of maps: give each tag a column, or leave --mapping out");
    }
    (keys.isEmpty() ? rows : unfolded(rows, keys))
        .write()
        .mode(SaveMode.Overwrite)
        .option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false")
        .parquet(writing.toUri().toString());
    if (!keys.isEmpty()) {
      Files.writeString(writing.resolve(MAPPING_FILE), mapping(rows.schema(), keys));
    }
    Files.writeString(writing.resolve(SCHEMA_FILE), rows.schema().json());
  }

  private static boolean hasTagMaps(StructType schema) {
    for (StructField field : schema.fields()) {
      if (field.name().equals(TAGS) && field.dataType() instanceof MapType maps) {
        if (maps.keyType().equals(DataTypes.StringType)) {
          return true;
        }
        throw refused(
            "the maps of column '" + TAGS + "' must have keys of text, these are " + maps);
      }
    }
    return false;
  }

  /** The keys of all maps, sorted. */
  private static List<String> tagKeys(Dataset<Row> rows) {
    List<String> keys =
        rows
            .select(functions.explode(functions.map_keys(rows.col(TAGS))))
            .distinct()
            .limit(TAG_KEYS_MAX + 1)
            .as(Encoders.STRING())
            .collectAsList()
            .stream()
            .sorted()
            .toList();
    if (keys.size() > TAG_KEYS_MAX) {
      throw refused(
          "the maps of column '"
              + TAGS
              + "' have more than "
              + TAG_KEYS_MAX
              + " keys: a key must name a kind of tag, such as host, not a host");
    }
    if (keys.isEmpty()) {
      throw refused("no row has a tag in column '" + TAGS + "', but OpenTSDB needs at least one");
    }
    return keys;
  }

  /** The rows with a column for each tag in place of the maps. */
  private static Dataset<Row> unfolded(Dataset<Row> rows, List<String> keys) {
    Column maps = rows.col(TAGS);
    Column others =
        functions.array_except(
            functions.map_keys(maps),
            functions.array(keys.stream().map(functions::lit).toArray(Column[]::new)));
    // Rows that Spark computes a second time need not be those whose keys were counted.
    Column checked =
        functions
            .when(
                functions.size(others).gt(0),
                functions.raise_error(
                    functions.lit(
                        "the rows have changed while they were written, a tag is new: write the"
                            + " DataFrame to files first, and load what is read from them")))
            .otherwise(maps);
    List<Column> columns = new ArrayList<>();
    for (StructField field : rows.schema().fields()) {
      if (!field.name().equals(TAGS)) {
        columns.add(rows.col("`" + field.name() + "`"));
      }
    }
    for (String key : keys) {
      columns.add(checked.getItem(key).alias(column(key)));
    }
    return rows.select(columns.toArray(Column[]::new));
  }

  private static String column(String key) {
    return TAGS + "." + key;
  }

  /** States the roles of tags, and of columns whose names say them. */
  private static String mapping(StructType schema, List<String> keys)
      throws JsonProcessingException {
    List<String> names = List.of(schema.fieldNames());
    List<Map<String, String>> columns = new ArrayList<>();
    if (names.contains("metric")) {
      columns.add(Map.of("name", "metric", "role", "metric"));
    }
    for (String time : List.of("time", "timestamp")) {
      if (names.contains(time) && (time.equals("time") || !names.contains("time"))) {
        columns.add(Map.of("name", time, "role", "time"));
      }
    }
    if (names.contains("value")) {
      columns.add(Map.of("name", "value", "role", "value"));
    }
    for (String key : keys) {
      Map<String, String> tag = new LinkedHashMap<>();
      tag.put("name", column(key));
      tag.put("role", "tag");
      tag.put("as", key);
      columns.add(tag);
    }
    return JsonMapper.builder().build().writeValueAsString(Map.of("columns", columns));
  }

  private static DataFrameLoadException refused(String why) {
    return new DataFrameLoadException(
        DataFrameLoad.REFUSED, "Refused before anything was written: " + why + ".");
  }
}
