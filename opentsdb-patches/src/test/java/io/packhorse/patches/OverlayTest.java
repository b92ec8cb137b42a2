package io.packhorse.patches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What goes into the overlay jar: the changed classes, ours, and what the TSD looks for. */
final class OverlayTest {
  private static final Path CLASSES = Path.of("target/classes");

  @Test
  void holdsExactlyTheChangedClassesAndOurs() throws IOException {
    Set<String> topLevel =
        files()
            .filter(name -> name.endsWith(".class"))
            .map(name -> name.substring(0, name.length() - ".class".length()))
            .map(name -> name.contains("$") ? name.substring(0, name.indexOf('$')) : name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        new TreeSet<>(
            List.of(
                "net/opentsdb/core/CompactionQueue",
                "net/opentsdb/core/Internal",
                "net/opentsdb/core/MultiGetQuery",
                "net/opentsdb/core/PackedAggregation",
                "net/opentsdb/core/PackedBucketSeq",
                "net/opentsdb/core/PackedBuckets",
                "net/opentsdb/core/PackedCells",
                "net/opentsdb/core/PackedColumn",
                "net/opentsdb/core/PackedColumns",
                "net/opentsdb/core/PackedDamage",
                "net/opentsdb/core/PackedDownsampler",
                "net/opentsdb/core/PackedErrors",
                "net/opentsdb/core/PackedFamily",
                "net/opentsdb/core/PackedFilling",
                "net/opentsdb/core/PackedFold",
                "net/opentsdb/core/PackedHour",
                "net/opentsdb/core/PackedReduction",
                "net/opentsdb/core/PackedRow",
                "net/opentsdb/core/PackedRowSeq",
                "net/opentsdb/core/PackedSeq",
                "net/opentsdb/core/PackedThreads",
                "net/opentsdb/core/PackedTimeout",
                "net/opentsdb/core/SaltScanner",
                "net/opentsdb/core/Span",
                "net/opentsdb/core/SpanGroup",
                "net/opentsdb/core/TSDB",
                "net/opentsdb/core/TsdbQuery",
                "net/opentsdb/meta/PackedBackScan",
                "net/opentsdb/meta/TSUIDQuery",
                "net/opentsdb/query/expression/ArithmeticJexl",
                "net/opentsdb/query/expression/ExpressionIterator",
                "net/opentsdb/query/expression/IntersectionIterator",
                "net/opentsdb/query/expression/NotImplementedException",
                "net/opentsdb/query/expression/UnionIterator",
                "net/opentsdb/search/TimeSeriesLookup",
                "net/opentsdb/stats/QueryStats",
                "net/opentsdb/tools/CliUtils",
                "net/opentsdb/tools/DumpSeries",
                "net/opentsdb/tools/Fsck",
                "net/opentsdb/tools/PackedFsck",
                "net/opentsdb/tools/TSDMain",
                "net/opentsdb/tsd/AdminCommands",
                "net/opentsdb/tsd/AsciiGraph",
                "net/opentsdb/tsd/CrossSite",
                "net/opentsdb/tsd/DropCachesRpc",
                "net/opentsdb/tsd/ExpressionSwitch",
                "net/opentsdb/tsd/HtmlText",
                "net/opentsdb/tsd/HttpJsonSerializer",
                "net/opentsdb/tsd/HttpQuery",
                "net/opentsdb/tsd/Jsonp",
                "net/opentsdb/tsd/LogsRpc",
                "net/opentsdb/tsd/PipelineFactory",
                "net/opentsdb/tsd/QueryExecutor",
                "net/opentsdb/tsd/QueryPage",
                "net/opentsdb/tsd/QueryRpc",
                "net/opentsdb/tsd/RequestBody",
                "net/opentsdb/tsd/ResponseHeaders",
                "net/opentsdb/tsd/RpcHandler",
                "net/opentsdb/tsd/RpcManager",
                "net/opentsdb/tsd/StaticFileRpc",
                "net/opentsdb/tsd/StaticFiles",
                "net/opentsdb/tsd/SuggestRpc",
                "net/opentsdb/tsd/Suggestions",
                "net/opentsdb/tsd/TelnetLine",
                "net/opentsdb/utils/Config",
                "net/opentsdb/utils/Secrets")),
        topLevel);
  }

  @Test
  void holdsThePageTheLogSettingsTheLicenceAndTheListOfPatches() throws IOException {
    assertEquals(
        new TreeSet<>(
            List.of(
                "META-INF/LICENSE",
                "META-INF/packhorse-patches.txt",
                "logback.xml",
                "net/opentsdb/tsd/page/icon.svg",
                "net/opentsdb/tsd/page/index.html",
                "net/opentsdb/tsd/page/query.css",
                "net/opentsdb/tsd/page/query.js",
                "net/opentsdb/tsd/page/uPlot.LICENSE",
                "net/opentsdb/tsd/page/uPlot.iife.min.js",
                "net/opentsdb/tsd/page/uPlot.min.css")),
        files()
            .filter(name -> !name.endsWith(".class"))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void listOfPatchesNamesTheBaseAndTheWholeSeries() throws IOException {
    List<String> lines = Files.readAllLines(CLASSES.resolve("META-INF/packhorse-patches.txt"));
    assertTrue(
        lines.get(0).matches("base opentsdb-2\\.4\\.1-sources\\.jar [0-9a-f]{64}"), lines.get(0));
    assertEquals(
        PatchSeries.series(Path.of("patches")),
        lines.stream().skip(1).map(line -> line.split(" ", 3)[1]).toList());
  }

  private static Stream<String> files() throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(CLASSES)) {
      all = walk.filter(Files::isRegularFile).toList();
    }
    return all.stream().map(file -> CLASSES.relativize(file).toString());
  }
}
