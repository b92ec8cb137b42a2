package io.packhorse.loader.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.table.TableSpec;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableLayoutTest {
  @Test
  void anEmptyConfigurationIsOpenTsdbsDefaults() throws IOException {
    TableLayout layout = TableLayout.of(new Properties(), "x");
    assertEquals(SaltFunction.NONE, layout.rowKeys().salt());
    assertEquals(UidWidths.DEFAULT, layout.rowKeys().widths());
    assertEquals("tsdb", layout.dataTable());
    assertEquals("tsdb-uid", layout.uidTable());
    assertEquals("tsdb-meta", layout.metaTable());
    assertEquals("tsdb-tree", layout.treeTable());
  }

  @Test
  void readsEverySetting() throws IOException {
    TableLayout layout =
        TableLayout.of(
            config(
                "tsd.storage.salt.width", "1",
                "tsd.storage.salt.buckets", "4",
                "tsd.storage.uid.width.metric", "4",
                "tsd.storage.uid.width.tagk", "2",
                "tsd.storage.uid.width.tagv", " 5 ",
                "tsd.storage.hbase.data_table", "ns:data",
                "tsd.storage.hbase.uid_table", " ns:uid ",
                "tsd.storage.hbase.meta_table", "ns:meta",
                "tsd.storage.hbase.tree_table", "ns:tree"),
            "x");
    assertEquals(new SaltFunction(1, 4), layout.rowKeys().salt());
    assertEquals(new UidWidths(4, 2, 5), layout.rowKeys().widths());
    assertEquals("ns:data", layout.dataTable());
    assertEquals("ns:uid", layout.uidTable());
    assertEquals("ns:meta", layout.metaTable());
    assertEquals("ns:tree", layout.treeTable());
  }

  @Test
  void saltWithoutBucketsHasTwentyBuckets() throws IOException {
    TableLayout layout = TableLayout.of(config("tsd.storage.salt.width", "1"), "x");
    assertEquals(new SaltFunction(1, 20), layout.rowKeys().salt());
  }

  @Test
  void ignoresBucketsWithoutSalt() throws IOException {
    TableLayout layout = TableLayout.of(config("tsd.storage.salt.buckets", "20"), "x");
    assertEquals(SaltFunction.NONE, layout.rowKeys().salt());
  }

  @Test
  void rejectsSettingsThatAreNotNumbers() {
    rejects("tsd.storage.salt.width must be a number: value=one", "tsd.storage.salt.width", "one");
    rejects("tsd.storage.uid.width.tagk", "tsd.storage.uid.width.tagk", "");
    rejects("tsd.storage.uid.width.tagv", "tsd.storage.uid.width.tagv", "3.0");
  }

  @Test
  void rejectsSettingsOutOfRange() {
    rejects("salt width must be", "tsd.storage.salt.width", "9");
    rejects("salt width must be", "tsd.storage.salt.width", "-1");
    rejects("UID width must be", "tsd.storage.uid.width.metric", "0");
    rejects("UID width must be", "tsd.storage.uid.width.tagv", "9");
    rejects("salt buckets must", "tsd.storage.salt.width", "1", "tsd.storage.salt.buckets", "257");
  }

  @Test
  void readsAConfigurationFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("opentsdb.conf");
    Files.writeString(file, "# ours\ntsd.storage.salt.width = 1\ntsd.storage.salt.buckets=8\n");
    assertEquals(new SaltFunction(1, 8), TableLayout.ofTsdConfig(file).rowKeys().salt());
  }

  @Test
  void namesTheFileThatIsWrongOrMissing(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("opentsdb.conf");
    assertThrows(NoSuchFileException.class, () -> TableLayout.ofTsdConfig(file));
    for (String text : List.of("tsd.storage.salt.width=x", "a=\\u12")) {
      Files.writeString(file, text);
      IOException refused = assertThrows(IOException.class, () -> TableLayout.ofTsdConfig(file));
      assertTrue(String.valueOf(refused.getMessage()).contains(file.toString()));
    }
  }

  @Test
  void listsItsTables() throws IOException {
    TableLayout layout = TableLayout.of(config("tsd.storage.hbase.data_table", "ns:data"), "x");
    assertEquals(
        List.of("ns:data", "tsdb-uid", "tsdb-meta", "tsdb-tree", "ns:data-summary", "packhorse"),
        layout.tables(List.of(), "NONE").stream().map(TableSpec::name).toList());
    assertEquals(
        "salt 0 x 1, UID widths 3/3/3, tables ns:data tsdb-uid tsdb-meta tsdb-tree",
        layout.sentence());
  }

  private static void rejects(String because, String... settings) {
    IOException refused =
        assertThrows(IOException.class, () -> TableLayout.of(config(settings), "the.conf"));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("TSD configuration the.conf: "), message);
    assertTrue(message.contains(because), message);
  }

  private static Properties config(String... settings) {
    Properties properties = new Properties();
    for (int i = 0; i < settings.length; i += 2) {
      properties.setProperty(settings[i], settings[i + 1]);
    }
    return properties;
  }
}
