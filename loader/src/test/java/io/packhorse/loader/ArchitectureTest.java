package io.packhorse.loader;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.conditions.ArchConditions.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Who may use whom in the loader. A new package needs a line here first. */
@AnalyzeClasses(
    packages = "io.packhorse.loader",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String LOADER = "io.packhorse.loader.";
  private static final String SCHEMA = "io.packhorse.schema.";
  private static final String HBASE = "org.apache.hadoop..";
  private static final String PICOCLI = "picocli..";
  private static final String JSON = "com.fasterxml.jackson..";

  /** Marks methods whose result may be ignored; needed by the compiler's checks only. */
  private static final String ERROR_PRONE = "com.google.errorprone.annotations";

  private static final String HDR = "org.HdrHistogram";
  private static final String CSV = "de.siegmar.fastcsv.reader";
  private static final String SNAPPY = "io.airlift.compress..";
  private static final String NETTY = "io.netty..";
  private static final String PARQUET = "org.apache.parquet..";
  private static final String PROTOBUF = "com.google.protobuf";
  private static final String ZSTD = "com.github.luben.zstd";

  /** Memory and CPU time of the machine; part of the JDK. */
  private static final String MACHINE = "com.sun.management";

  /** A small HTTP server; part of the JDK. */
  private static final String HTTP = "com.sun.net.httpserver";

  /**
   * Beside itself and the JDK, a package uses what its line names. No line but the last names a
   * package of HBase's: these are leaves.
   */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          // On the way in.
          uses("point"),
          uses("source", LOADER + "point"),
          uses("source.generated", LOADER + "source", LOADER + "point", SCHEMA + "key"),
          uses("source.input", ZSTD),
          uses(
              "source.record",
              LOADER + "source.input",
              LOADER + "point",
              SCHEMA + "key",
              SCHEMA + "uid"),
          uses(
              "source.text",
              LOADER + "source",
              LOADER + "source.input",
              LOADER + "source.record",
              LOADER + "point"),
          uses(
              "source.opentsdb",
              LOADER + "source.input",
              LOADER + "source.record",
              LOADER + "source.text",
              SCHEMA + "key"),
          uses(
              "source.influx",
              LOADER + "source.input",
              LOADER + "source.record",
              LOADER + "source.text"),
          uses(
              "source.openmetrics",
              LOADER + "source.input",
              LOADER + "source.record",
              LOADER + "source.text"),
          uses(
              "source.json",
              LOADER + "source.input",
              LOADER + "source.record",
              LOADER + "source.text",
              JSON),
          uses(
              "source.table",
              LOADER + "source.input",
              LOADER + "source.record",
              SCHEMA + "key",
              JSON),
          uses(
              "source.csv",
              LOADER + "source.input",
              LOADER + "source.record",
              LOADER + "source.table",
              LOADER + "source.text",
              CSV),
          uses(
              "source.parquet",
              LOADER + "source",
              LOADER + "source.input",
              LOADER + "source.record",
              LOADER + "source.table",
              LOADER + "point",
              PARQUET),
          uses("source.format", LOADER + "source..", LOADER + "point"),
          uses("receive.log"),
          uses(
              "receive",
              LOADER + "receive.log",
              LOADER + "source",
              LOADER + "source.format",
              LOADER + "source.influx",
              LOADER + "source.input",
              LOADER + "source.json",
              LOADER + "source.openmetrics",
              LOADER + "source.opentsdb",
              LOADER + "source.record",
              LOADER + "source.text",
              LOADER + "point",
              JSON,
              SNAPPY),
          uses("receive.net", LOADER + "receive", LOADER + "source.record", NETTY, JSON),
          uses("resolve", LOADER + "point", SCHEMA + "key", SCHEMA + "uid"),
          uses("cell", SCHEMA + "table"),
          uses(
              "summary",
              LOADER + "cell",
              SCHEMA + "bytes",
              SCHEMA + "cell",
              SCHEMA + "key",
              SCHEMA + "packed",
              SCHEMA + "summary",
              SCHEMA + "uid"),
          uses(
              "pack",
              LOADER + "point",
              LOADER + "cell",
              LOADER + "summary",
              SCHEMA + "bytes",
              SCHEMA + "cell",
              SCHEMA + "key",
              SCHEMA + "packed"),
          uses("sink", LOADER + "cell", HDR),
          uses(
              "pipeline",
              LOADER + "source",
              LOADER + "resolve",
              LOADER + "pack",
              LOADER + "sink",
              LOADER + "summary",
              LOADER + "point",
              LOADER + "cell",
              SCHEMA + "bytes",
              SCHEMA + "key"),
          uses(
              "job",
              LOADER + "pipeline",
              LOADER + "pack",
              LOADER + "sink",
              LOADER + "source",
              LOADER + "source.format",
              LOADER + "source.generated",
              LOADER + "point",
              LOADER + "cell",
              JSON),
          // On the way back.
          uses(
              "read",
              SCHEMA + "bytes",
              SCHEMA + "cell",
              SCHEMA + "key",
              SCHEMA + "packed",
              SCHEMA + "uid"),
          uses(
              "export",
              LOADER + "point",
              LOADER + "read",
              LOADER + "resolve",
              SCHEMA + "bytes",
              SCHEMA + "cell",
              SCHEMA + "key",
              SCHEMA + "uid",
              PARQUET,
              ZSTD),
          uses(
              "repack",
              LOADER + "cell",
              LOADER + "pack",
              LOADER + "read",
              SCHEMA + "bytes",
              SCHEMA + "cell",
              SCHEMA + "key",
              SCHEMA + "packed"),
          uses(
              "verify",
              LOADER + "cell",
              LOADER + "read",
              LOADER + "resolve",
              LOADER + "sink",
              LOADER + "source.generated",
              SCHEMA + "bytes",
              SCHEMA + "cell",
              SCHEMA + "key",
              SCHEMA + "packed",
              SCHEMA + "uid"),
          uses("query", LOADER + "source.generated", SCHEMA + "key", JSON),
          // The store.
          uses("layout", SCHEMA + "key", SCHEMA + "table", SCHEMA + "uid"),
          uses("store", SCHEMA + "table", MACHINE),
          uses("hbase", HBASE),
          uses("sink.hbase", LOADER + "sink", LOADER + "cell", SCHEMA + "table", HBASE),
          uses(
              "sink.hfile",
              LOADER + "sink",
              LOADER + "cell",
              LOADER + "hbase",
              SCHEMA + "bytes",
              SCHEMA + "cell",
              SCHEMA + "packed",
              HBASE),
          uses(
              "read.hbase",
              LOADER + "read",
              LOADER + "cell",
              LOADER + "hbase",
              SCHEMA + "key",
              SCHEMA + "packed",
              SCHEMA + "table",
              HBASE),
          uses("table", SCHEMA + "key", SCHEMA + "table", SCHEMA + "uid"),
          uses(
              "table.hbase",
              LOADER + "table",
              LOADER + "hbase",
              SCHEMA + "table",
              SCHEMA + "uid",
              HBASE),
          uses(
              "doctor",
              LOADER + "layout",
              LOADER + "query",
              LOADER + "table",
              SCHEMA + "bytes",
              SCHEMA + "key",
              SCHEMA + "summary",
              SCHEMA + "table",
              SCHEMA + "uid"),
          uses(
              "uidstore.hbase",
              LOADER + "resolve",
              LOADER + "cell",
              LOADER + "hbase",
              SCHEMA + "bytes",
              SCHEMA + "key",
              SCHEMA + "packed",
              SCHEMA + "table",
              SCHEMA + "uid",
              HBASE,
              PROTOBUF),
          uses(
              "summary.hbase",
              LOADER + "summary",
              LOADER + "cell",
              LOADER + "hbase",
              SCHEMA + "bytes",
              SCHEMA + "key",
              SCHEMA + "packed",
              SCHEMA + "summary",
              SCHEMA + "table",
              SCHEMA + "uid",
              HBASE),
          // Everything together.
          uses("report", LOADER + "sink", HDR),
          uses("inch", LOADER + "source.generated", HDR),
          uses(
              "loadtest",
              LOADER + "point",
              LOADER + "report",
              LOADER + "source.generated",
              LOADER + "table",
              HDR,
              JSON),
          uses("load", LOADER + ".", SCHEMA + ".", HDR, MACHINE, HTTP),
          uses(
              "demo",
              LOADER + "cell",
              LOADER + "hbase",
              LOADER + "job",
              LOADER + "layout",
              LOADER + "load",
              LOADER + "query",
              LOADER + "sink",
              LOADER + "source.generated",
              LOADER + "store",
              LOADER + "table.hbase",
              LOADER + "verify",
              JSON),
          // The command line: parses, calls and prints.
          uses("cli", LOADER + ".", SCHEMA + ".", PICOCLI, JSON, HDR));

  @ArchTest
  static final ArchRule PACKAGES_USE_WHAT_THE_TABLE_NAMES =
      classes().should(useOnlyWhatTheirLineNames());

  @ArchTest
  static final ArchRule NO_PACKAGES_USE_EACH_OTHER =
      slices().matching(LOADER + "(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule HBASE_IS_IN_PACKAGES_OF_THAT_NAME =
      noClasses()
          .that()
          .resideOutsideOfPackages(LOADER + "hbase", LOADER + "(**).hbase", LOADER + "sink.hfile")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(HBASE);

  /**
   * But for two adapters: HBase has no public writer of HFiles, and its endpoints are called with
   * the messages of its protocol.
   */
  @ArchTest
  static final ArchRule ONLY_PUBLIC_HBASE =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(LOADER + "sink.hfile.HFileWriter")
          .and()
          .doNotHaveFullyQualifiedName(LOADER + "uidstore.hbase.EmptyRows")
          .should()
          .dependOnClassesThat(
              describe(
                  "are in HBase and not of its public interface", ArchitectureTest::isPrivate));

  @ArchTest
  static final ArchRule PICOCLI_IS_IN_CLI =
      noClasses()
          .that()
          .resideOutsideOfPackage(LOADER + "cli")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(PICOCLI);

  /** Below the command line, exit codes and streams of the process are unknown. */
  @ArchTest
  static final ArchRule ONLY_CLI_PRINTS =
      noClasses()
          .that()
          .resideOutsideOfPackage(LOADER + "cli")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.PrintWriter")
          .orShould()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule ONLY_CLI_ENDS_THE_PROCESS =
      noClasses()
          .that()
          .resideOutsideOfPackage(LOADER + "cli")
          .should()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class);

  @ArchTest
  static final ArchRule THREADS_START_IN_FEW_PACKAGES =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              LOADER + "pipeline",
              LOADER + "receive",
              LOADER + "receive.net",
              LOADER + "store",
              LOADER + "load",
              LOADER + "inch",
              LOADER + "loadtest",
              LOADER + "demo",
              LOADER + "cli")
          .should()
          .accessTargetWhere(describe("make threads", ArchitectureTest::makesThreads));

  @ArchTest
  static final ArchRule NOTHING_STATIC_CHANGES =
      fields().that().areStatic().should().beFinal().andShould(holdNothingThatChanges());

  @ArchTest
  static final ArchRule NO_STATIC_COLLECTION_CAN_GROW =
      noClasses()
          .should()
          .callConstructorWhere(
              describe(
                  "make a collection in a static initializer",
                  call ->
                      call.getOrigin().getName().equals("<clinit>")
                          && (call.getTargetOwner().isAssignableTo(Collection.class)
                              || call.getTargetOwner().isAssignableTo(Map.class))));

  private static Map.Entry<String, List<String>> uses(String name, String... others) {
    return Map.entry(
        LOADER + name,
        Stream.concat(
                Stream.of(
                    LOADER + name, "java..", "javax..", "org.jspecify.annotations", ERROR_PRONE),
                Stream.of(others))
            .toList());
  }

  private static ArchCondition<JavaClass> useOnlyWhatTheirLineNames() {
    return new ArchCondition<>("use only what the line of their package names") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        List<String> allowed = MAY_USE.get(type.getPackageName());
        if (allowed == null) {
          events.add(
              SimpleConditionEvent.violated(
                  type, type.getFullName() + " is in a package without a line"));
          return;
        }
        DescribedPredicate<JavaClass> fine =
            JavaClass.Predicates.resideInAnyPackage(allowed.toArray(String[]::new));
        type.getDirectDependenciesFromSelf().stream()
            .filter(used -> !fine.test(used.getTargetClass().getBaseComponentType()))
            .filter(used -> !used.getTargetClass().getBaseComponentType().isPrimitive())
            .forEach(
                used -> events.add(SimpleConditionEvent.violated(used, used.getDescription())));
      }
    };
  }

  /** HBase says of each class who may use it; a nested one without a word shares its outer's. */
  private static boolean isPrivate(JavaClass type) {
    if (!type.getPackageName().startsWith("org.apache.hadoop.hbase")) {
      return false;
    }
    JavaClass said = type.getBaseComponentType();
    while (audience(said).findAny().isEmpty() && said.getEnclosingClass().isPresent()) {
      said = said.getEnclosingClass().get();
    }
    return audience(said).noneMatch(name -> name.endsWith("$Public"));
  }

  private static Stream<String> audience(JavaClass type) {
    return type.getAnnotations().stream()
        .map(annotation -> annotation.getRawType().getName())
        .filter(name -> name.startsWith("org.apache.yetus.audience.InterfaceAudience$"));
  }

  private static boolean makesThreads(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    if (access instanceof JavaConstructorCall) {
      return owner.isAssignableTo(Thread.class)
          || owner.isAssignableTo(Executor.class)
          || owner.isAssignableTo(java.util.Timer.class);
    }
    return owner.isEquivalentTo(Executors.class)
        || (owner.isEquivalentTo(CompletableFuture.class) && access.getName().endsWith("Async"))
        || access.getName().equals("parallelStream")
        || (access.getName().equals("parallel") && owner.isAssignableTo(Stream.class));
  }

  /**
   * Private arrays are tables of constants, private lists and maps what List.of and Map.of make;
   * see {@link #NO_STATIC_COLLECTION_CAN_GROW}.
   */
  private static ArchCondition<JavaField> holdNothingThatChanges() {
    return not(
        have(describe("a type whose content others can change", ArchitectureTest::canChange)));
  }

  private static boolean canChange(JavaField field) {
    JavaClass type = field.getRawType();
    boolean ours =
        field.getModifiers().contains(JavaModifier.PRIVATE)
            || field.getModifiers().contains(JavaModifier.SYNTHETIC);
    boolean collection = type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class);
    return (type.isArray() && !ours)
        || (collection && !(ours && type.isInterface()))
        || type.getPackageName().equals("java.util.concurrent.atomic");
  }
}
