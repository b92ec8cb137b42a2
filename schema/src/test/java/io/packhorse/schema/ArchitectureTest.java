package io.packhorse.schema;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.conditions.ArchConditions.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Collection;
import java.util.Map;

/** Who may use whom in this module, which the TSD and the loader both run. */
@AnalyzeClasses(
    packages = "io.packhorse.schema",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /** The JDK, and annotations that need no class at run time. */
  private static final String[] ALWAYS = {
    "java..", "com.sun.management", "org.jspecify.annotations"
  };

  @ArchTest static final ArchRule BYTES_USES_THE_JDK_ALONE = only("bytes");

  @ArchTest static final ArchRule UID_USES_BYTES = only("uid", "bytes");

  @ArchTest static final ArchRule KEY_USES_UID = only("key", "bytes", "uid");

  @ArchTest static final ArchRule CELL_USES_BYTES = only("cell", "bytes");

  @ArchTest static final ArchRule PACKED_USES_CELL = only("packed", "bytes", "cell");

  @ArchTest
  static final ArchRule SUMMARY_USES_PACKED = only("summary", "bytes", "cell", "key", "packed");

  @ArchTest static final ArchRule TABLE_USES_SUMMARY = only("table", "key", "summary");

  @ArchTest
  static final ArchRule EACH_CLASS_IS_IN_A_PACKAGE_WITH_A_RULE =
      classes()
          .should()
          .resideInAnyPackage(
              own("bytes"),
              own("uid"),
              own("key"),
              own("cell"),
              own("packed"),
              own("summary"),
              own("table"));

  @ArchTest
  static final ArchRule NO_PACKAGES_USE_EACH_OTHER =
      slices().matching("io.packhorse.schema.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NOTHING_STATIC_CHANGES =
      fields().that().areStatic().should().beFinal().andShould(holdNothingThatChanges());

  /** Private arrays are tables of constants; an array or collection that others see may change. */
  private static ArchCondition<JavaField> holdNothingThatChanges() {
    return not(
        have(
            describe(
                "a type whose content others can change",
                (JavaField field) ->
                    (field.getRawType().isArray()
                            && !field.getModifiers().contains(JavaModifier.PRIVATE)
                            && !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                        || field.getRawType().isAssignableTo(Collection.class)
                        || field.getRawType().isAssignableTo(Map.class))));
  }

  private static String own(String name) {
    return "io.packhorse.schema." + name;
  }

  private static ArchRule only(String name, String... others) {
    String[] allowed = new String[ALWAYS.length + others.length + 1];
    System.arraycopy(ALWAYS, 0, allowed, 0, ALWAYS.length);
    allowed[ALWAYS.length] = own(name);
    for (int i = 0; i < others.length; i++) {
      allowed[ALWAYS.length + 1 + i] = own(others[i]);
    }
    return classes()
        .that()
        .resideInAPackage(own(name))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .allowEmptyShould(true);
  }
}
