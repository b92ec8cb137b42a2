package net.opentsdb.core;

import java.util.Map;
import net.opentsdb.utils.Config;
import org.jspecify.annotations.NullMarked;

/**
 * What {@code tsd.mode=ro} means for the other settings: all that write by themselves, or let a
 * query write, are off, whatever the configuration says.
 */
@NullMarked
final class ReadOnlyMode {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "tsd.http.query.allow_delete", "false",
          "tsd.storage.enable_compaction", "false",
          "tsd.storage.repair_appends", "false",
          "tsd.core.auto_create_metrics", "false",
          "tsd.core.auto_create_tagks", "false",
          "tsd.core.auto_create_tagvs", "false",
          "tsd.core.meta.enable_realtime_ts", "false",
          "tsd.core.meta.enable_realtime_uid", "false",
          "tsd.core.tree.enable_processing", "false");

  private ReadOnlyMode() {}

  /** Applies the mode to a configuration before a TSD reads it. */
  static void apply(Config config) {
    String mode = config.getString("tsd.mode");
    if (mode != null && mode.equalsIgnoreCase("ro")) {
      SETTINGS.forEach(config::overrideConfig);
      config.loadStaticVariables();
    }
  }
}
