package io.packhorse.loader.layout;

import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.table.TableSpec;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * Names of OpenTSDB's tables and the layout of its row keys. Read from the TSD's own configuration,
 * never guessed, because no query finds rows written with a wrong salt or UID width.
 *
 * @param rowKeys salt and UID widths
 * @param dataTable {@code tsdb} by default
 * @param uidTable {@code tsdb-uid} by default
 * @param metaTable {@code tsdb-meta} by default
 * @param treeTable {@code tsdb-tree} by default
 */
public record TableLayout(
    RowKeyLayout rowKeys, String dataTable, String uidTable, String metaTable, String treeTable) {
  /** Reads an {@code opentsdb.conf}. */
  public static TableLayout ofTsdConfig(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a properties file: " + e.getMessage(), e);
    }
    return of(properties, file.toString());
  }

  /**
   * Reads a TSD's configuration; settings that are missing have OpenTSDB's defaults.
   *
   * @param where file or address of the configuration, for messages
   * @throws IOException if a setting is not a number in range
   */
  public static TableLayout of(Properties config, String where) throws IOException {
    try {
      int saltWidth = number(config, "tsd.storage.salt.width", 0);
      SaltFunction salt =
          saltWidth == 0
              ? SaltFunction.NONE
              : new SaltFunction(saltWidth, number(config, "tsd.storage.salt.buckets", 20));
      UidWidths widths =
          new UidWidths(
              number(config, "tsd.storage.uid.width.metric", 3),
              number(config, "tsd.storage.uid.width.tagk", 3),
              number(config, "tsd.storage.uid.width.tagv", 3));
      return new TableLayout(
          new RowKeyLayout(widths, salt),
          config.getProperty("tsd.storage.hbase.data_table", StoreTables.DATA).trim(),
          config.getProperty("tsd.storage.hbase.uid_table", StoreTables.UID).trim(),
          config.getProperty("tsd.storage.hbase.meta_table", StoreTables.META).trim(),
          config.getProperty("tsd.storage.hbase.tree_table", StoreTables.TREE).trim());
    } catch (IllegalArgumentException e) {
      throw new IOException("TSD configuration " + where + ": " + e.getMessage(), e);
    }
  }

  /**
   * The tables of this layout, the data table first.
   *
   * @param splitPoints of the data table
   * @param compression of OpenTSDB's families, as HBase names it
   */
  public List<TableSpec> tables(List<byte[]> splitPoints, String compression) {
    return StoreTables.named(
        dataTable, uidTable, metaTable, treeTable, splitPoints, compression, compression);
  }

  /** The whole layout in one line. */
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "salt %d x %d, UID widths %d/%d/%d, tables %s %s %s %s",
        rowKeys.salt().width(),
        rowKeys.salt().buckets(),
        rowKeys.widths().metric(),
        rowKeys.widths().tagk(),
        rowKeys.widths().tagv(),
        dataTable,
        uidTable,
        metaTable,
        treeTable);
  }

  private static int number(Properties config, String key, int unset) {
    String value = config.getProperty(key);
    try {
      return value == null ? unset : Integer.parseInt(value.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " must be a number: value=" + value, e);
    }
  }
}
