package io.packhorse.cluster.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;

/**
 * Finds problems in a folder of rendered configuration: unknown and deprecated names, values of the
 * wrong kind, and settings that contradict each other.
 */
public final class ConfigCheck {
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
  private static final Pattern FRACTION = Pattern.compile("[0-9]*\\.[0-9]+f?");
  private static final Pattern SIZE = Pattern.compile("-?[0-9]+[kmgtpKMGTP]?");
  private static final Pattern DURATION = Pattern.compile("-?[0-9]+(ns|us|ms|s|m|h|d)?");
  private static final Pattern TLS = Pattern.compile("ssl\\.(?:client|server)\\.(.+)");
  private static final Pattern AUTH_PROVIDER = Pattern.compile("authProvider\\.[0-9]+");
  private static final Pattern QUORUM_MEMBER = Pattern.compile("server\\.([0-9]+)");
  private static final double HEAP_SHARES_MAX = 0.8;

  private final KnownNames names;
  private final Configuration defaults;

  private ConfigCheck(KnownNames names, Configuration defaults) {
    this.names = names;
    this.defaults = defaults;
  }

  /** Reads the names that the products on the class path know, which takes about a second. */
  public static ConfigCheck ofClassPath() throws IOException {
    // Both register their deprecated names.
    HdfsConfiguration.init();
    HBaseConfiguration.create();
    return new ConfigCheck(KnownNames.ofClassPath(), ConfigFolder.defaults());
  }

  /** Problems of a folder, one sentence each; empty if there are none. */
  public List<String> problems(Path path) throws IOException {
    ConfigFolder folder = new ConfigFolder(path);
    List<String> problems = new ArrayList<>();
    for (String file : ConfigFolder.XML_FILES) {
      if (!folder.has(file)) {
        problems.add(file + ": missing");
      }
    }
    if (!problems.isEmpty()) {
      return problems;
    }
    Configuration all = folder.all();
    for (String file : ConfigFolder.XML_FILES) {
      for (Map.Entry<String, String> setting : folder.written(file).entrySet()) {
        check(file, setting.getKey(), setting.getValue(), all, problems);
      }
    }
    for (String file : ConfigFolder.TLS_FILES) {
      if (folder.has(file)) {
        for (Map.Entry<String, String> setting : folder.written(file).entrySet()) {
          check(file, setting.getKey(), setting.getValue(), all, problems);
        }
      }
    }
    checkTogether(all, problems);
    checkSecurity(folder, all, problems);
    if (folder.has("zoo.cfg")) {
      checkZooKeeper(folder, all, problems);
    }
    if (folder.has("opentsdb.conf")) {
      checkTsd(folder, all, problems);
    }
    for (Path flags : folder.jvmFiles()) {
      JvmFlags.problem(flags).ifPresent(problems::add);
    }
    return problems;
  }

  private void check(
      String file, String name, String value, Configuration all, List<String> problems) {
    if (Configuration.isDeprecated(name)) {
      problems.add(file + ": " + name + " is deprecated");
    } else if (!isKnown(name, all)) {
      problems.add(file + ": no class of the products contains the name " + name);
    }
    String defaultValue = defaults.get(name);
    if (defaultValue != null && !isSameKind(defaultValue, value)) {
      problems.add(
          file
              + ": "
              + name
              + " has a value of another kind than its default "
              + defaultValue
              + ": "
              + value);
    }
  }

  /**
   * Names of HA settings end with the nameservice, some also with the id of a NameNode. Names of
   * TLS settings are composed for client and server.
   */
  private boolean isKnown(String name, Configuration all) {
    if (names.contains(name) || defaults.get(name) != null) {
      return true;
    }
    Matcher tls = TLS.matcher(name);
    if (tls.matches()) {
      return names.contains("ssl.{0}." + tls.group(1));
    }
    int service = name.indexOf("." + all.get("dfs.nameservices", ""));
    return service > 0 && names.contains(name.substring(0, service));
  }

  private static boolean isSameKind(String defaultValue, String value) {
    if (defaultValue.equals("true") || defaultValue.equals("false")) {
      return value.equals("true") || value.equals("false");
    }
    if (WHOLE.matcher(defaultValue).matches()) {
      return SIZE.matcher(value).matches()
          || DURATION.matcher(value).matches()
          || FRACTION.matcher(value).matches();
    }
    if (DURATION.matcher(defaultValue).matches() || SIZE.matcher(defaultValue).matches()) {
      return DURATION.matcher(value).matches() || SIZE.matcher(value).matches();
    }
    if (FRACTION.matcher(defaultValue).matches()) {
      return FRACTION.matcher(value).matches() || WHOLE.matcher(value).matches();
    }
    return true;
  }

  private static void checkTogether(Configuration all, List<String> problems) {
    double shares =
        all.getDouble("hbase.regionserver.global.memstore.size", 0.4)
            + all.getDouble("hfile.block.cache.size", 0.4);
    if (shares > HEAP_SHARES_MAX + 1e-9) {
      problems.add(
          "hbase-site.xml: memstore and block cache together take more than 0.8 of the heap: "
              + shares);
    }
    if (!all.get("hbase.rootdir", "").startsWith(all.get("fs.defaultFS", "") + "/")) {
      problems.add("hbase-site.xml: hbase.rootdir is not on fs.defaultFS");
    }
    int disks = all.getStrings("dfs.datanode.data.dir", "").length;
    int tolerated = all.getInt("dfs.datanode.failed.volumes.tolerated", 0);
    if (tolerated >= disks) {
      problems.add(
          "hdfs-site.xml: a DataNode of "
              + disks
              + " directories cannot tolerate "
              + tolerated
              + " failed ones");
    }
  }

  private static void checkSecurity(ConfigFolder folder, Configuration all, List<String> problems) {
    String hadoop = all.get("hadoop.security.authentication", "simple");
    String hbase = all.get("hbase.security.authentication", "simple");
    if (!hadoop.equals(hbase)) {
      problems.add(
          "hbase-site.xml: hbase.security.authentication is " + hbase + ", Hadoop's is " + hadoop);
    }
    boolean tls =
        all.getBoolean("hbase.ssl.enabled", false)
            || !all.get("dfs.http.policy", "HTTP_ONLY").equals("HTTP_ONLY");
    for (String file : ConfigFolder.TLS_FILES) {
      if (tls && !folder.has(file)) {
        problems.add(file + ": missing, but web pages use TLS");
      }
    }
  }

  private void checkZooKeeper(ConfigFolder folder, Configuration all, List<String> problems)
      throws IOException {
    Properties properties = folder.properties("zoo.cfg");
    Properties local = folder.properties("zoo.cfg");
    // The parser reads the id from the data directory, which exists only on the host.
    local.setProperty("dataDir", folder.path().toString());
    QuorumPeerConfig config = new QuorumPeerConfig();
    try {
      config.parseProperties(local);
    } catch (QuorumPeerConfig.ConfigException | IllegalArgumentException e) {
      problems.add("zoo.cfg: " + e.getMessage());
      return;
    }
    for (String name : properties.stringPropertyNames()) {
      boolean known =
          QUORUM_MEMBER.matcher(name).matches()
              || AUTH_PROVIDER.matcher(name).matches()
              || names.contains(name)
              || names.contains("zookeeper." + name);
      if (!known) {
        problems.add("zoo.cfg: no class of the products contains the name " + name);
      }
    }
    int session = all.getInt("zookeeper.session.timeout", 90_000);
    if (session > config.getMaxSessionTimeout()) {
      problems.add(
          "hbase-site.xml: zookeeper.session.timeout exceeds maxSessionTimeout in zoo.cfg: "
              + session
              + " > "
              + config.getMaxSessionTimeout());
    }
    List<String> members = members(properties);
    List<String> quorum = List.of(all.getStrings("hbase.zookeeper.quorum"));
    if (!quorum.equals(members)) {
      problems.add(
          "hbase-site.xml: hbase.zookeeper.quorum differs from the members in zoo.cfg: "
              + quorum
              + ", "
              + members);
    }
  }

  private static List<String> members(Properties zoo) {
    return zoo.stringPropertyNames().stream()
        .map(QUORUM_MEMBER::matcher)
        .filter(Matcher::matches)
        .sorted(Comparator.comparingInt(found -> Integer.parseInt(found.group(1))))
        .map(found -> zoo.getProperty(found.group()).replaceFirst(":.*", ""))
        .map(host -> host + ":" + zoo.getProperty("clientPort"))
        .toList();
  }

  private void checkTsd(ConfigFolder folder, Configuration all, List<String> problems)
      throws IOException {
    Properties tsd = folder.properties("opentsdb.conf");
    String unknown =
        tsd.stringPropertyNames().stream()
            .filter(name -> !names.contains(name))
            .sorted()
            .collect(Collectors.joining(", "));
    if (!unknown.isEmpty()) {
      problems.add("opentsdb.conf: no class of the products contains the name " + unknown);
    }
    String quorum = all.get("hbase.zookeeper.quorum", "");
    if (!quorum.equals(tsd.getProperty("tsd.storage.hbase.zk_quorum"))) {
      problems.add(
          "opentsdb.conf: tsd.storage.hbase.zk_quorum differs from HBase's quorum, " + quorum);
    }
    Map<String, String> defaultValues =
        Map.of("hbase.security.authentication", "simple", "hbase.rpc.protection", "authentication");
    defaultValues.forEach(
        (name, value) -> {
          String servers = all.get(name, value);
          if (!List.of(servers.split(",", -1)).contains(tsd.getProperty(name, value))) {
            problems.add("opentsdb.conf: " + name + " differs from HBase's, " + servers);
          }
        });
  }
}
