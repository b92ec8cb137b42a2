package net.opentsdb.query.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import net.opentsdb.tsd.BadRequestException;
import org.apache.commons.jexl2.JexlContext;
import org.apache.commons.jexl2.JexlEngine;
import org.apache.commons.jexl2.MapContext;
import org.apache.commons.jexl2.Script;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Arithmetic as stock evaluates it, and no way to a class. */
final class ArithmeticJexlTest {
  private static final JexlEngine ENGINE = new ArithmeticJexl();

  /** Each of them does something on a bare engine, or keeps it busy. */
  public static Stream<String> attacks() {
    String run = "getRuntime().exec('touch /tmp/packhorse-loot')";
    return Stream.of(
        "a + ''.getClass().forName('java.lang.Runtime')." + run,
        "a + \"\".class.forName(\"java.lang.Runtime\")." + run,
        "a.class.forName('java.lang.Runtime')." + run,
        "a.getClass()",
        "a.class",
        "a['class']",
        "a.class.classLoader",
        "new('java.lang.ProcessBuilder', 'touch', '/tmp/packhorse-loot').start() + a",
        "new(\"java.io.File\", \"/tmp/packhorse-loot\").createNewFile(); a",
        "x = new('java.net.URL', 'http://127.0.0.1/'); x.getContent(); a",
        "i = 0; while (i < 1000000000) { i = i + 1 } a",
        "for (i : [1,2,3]) { a } a",
        "var b = a; b",
        "a = 3",
        "a; a",
        "if (a > 1) { a } else { 2 }",
        "return a",
        "size(a)",
        "empty(a)",
        "math:abs(a)",
        "a =~ '(x+x+)+y'",
        "a !~ '.*'",
        "'text' + a",
        "{'k' : a}",
        "[a, a]",
        "#0 + a",
        "$x + a",
        "@x + a",
        "a.b + a",
        "a ? new('java.lang.Object') : a",
        "(a).toString()",
        "1.toString() + a",
        "null + a",
        "a ^ 3",
        "~a",
        "a & 1",
        "(".repeat(500) + "a" + ")".repeat(500),
        "-".repeat(500) + "a",
        "!".repeat(500) + "a",
        "a ? ".repeat(200) + "a" + " : 1".repeat(200),
        "a" + " + a".repeat(1000),
        "a +",
        "a\n+1",
        "\u0430 + 1");
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void refusesWhatIsMoreThanArithmetic(String expression) {
    assertThrows(BadRequestException.class, () -> ENGINE.createScript(expression));
    assertThrows(BadRequestException.class, () -> ENGINE.createExpression(expression));
    assertFalse(Files.exists(Path.of("/tmp/packhorse-loot")), "a command was run");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a + b * 2; 17.0",
        "(a + b) / 2 - 1; 4.0",
        "a % b; 3.0",
        "-a; -3.0",
        "a * 1.5e2; 450.0",
        "a > b ? a : b; 7.0",
        "a > 1 && b < 10; true",
        "!(a == b) || a != 3; true",
        "a <= b; true"
      })
  void evaluatesAsABareEngineDoes(String expression, String expected) {
    JexlContext context = new MapContext(new java.util.HashMap<>(Map.of("a", 3.0, "b", 7.0)));
    Script script = ENGINE.createScript(expression);
    assertEquals(expected, script.execute(context).toString());
    assertEquals(
        new JexlEngine().createScript(expression).execute(context), script.execute(context));
    assertEquals(
        new JexlEngine().getVariables(new JexlEngine().createScript(expression)),
        ENGINE.getVariables(script));
  }

  @Test
  void hasNoWayToAClassEvenWithoutTheCheck() {
    assertThrows(RuntimeException.class, () -> ENGINE.newInstance("java.lang.Object"));
    assertThrows(RuntimeException.class, () -> ENGINE.invokeMethod("text", "length"));
    assertThrows(RuntimeException.class, () -> ENGINE.getProperty("text", "class"));
  }

  @Test
  void isTheEngineOfQueries() {
    assertSame(ArithmeticJexl.class, ExpressionIterator.JEXL_ENGINE.getClass());
  }
}
