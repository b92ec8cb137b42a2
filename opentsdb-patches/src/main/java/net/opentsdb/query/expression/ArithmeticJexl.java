package net.opentsdb.query.expression;

import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import net.opentsdb.tsd.BadRequestException;
import org.apache.commons.jexl2.JexlArithmetic;
import org.apache.commons.jexl2.JexlEngine;
import org.apache.commons.jexl2.JexlException;
import org.apache.commons.jexl2.JexlInfo;
import org.apache.commons.jexl2.introspection.JexlMethod;
import org.apache.commons.jexl2.introspection.JexlPropertyGet;
import org.apache.commons.jexl2.introspection.JexlPropertySet;
import org.apache.commons.jexl2.introspection.Uberspect;
import org.apache.commons.jexl2.parser.ASTAdditiveNode;
import org.apache.commons.jexl2.parser.ASTAdditiveOperator;
import org.apache.commons.jexl2.parser.ASTAndNode;
import org.apache.commons.jexl2.parser.ASTDivNode;
import org.apache.commons.jexl2.parser.ASTEQNode;
import org.apache.commons.jexl2.parser.ASTFalseNode;
import org.apache.commons.jexl2.parser.ASTGENode;
import org.apache.commons.jexl2.parser.ASTGTNode;
import org.apache.commons.jexl2.parser.ASTIdentifier;
import org.apache.commons.jexl2.parser.ASTJexlScript;
import org.apache.commons.jexl2.parser.ASTLENode;
import org.apache.commons.jexl2.parser.ASTLTNode;
import org.apache.commons.jexl2.parser.ASTModNode;
import org.apache.commons.jexl2.parser.ASTMulNode;
import org.apache.commons.jexl2.parser.ASTNENode;
import org.apache.commons.jexl2.parser.ASTNotNode;
import org.apache.commons.jexl2.parser.ASTNumberLiteral;
import org.apache.commons.jexl2.parser.ASTOrNode;
import org.apache.commons.jexl2.parser.ASTReference;
import org.apache.commons.jexl2.parser.ASTReferenceExpression;
import org.apache.commons.jexl2.parser.ASTTernaryNode;
import org.apache.commons.jexl2.parser.ASTTrueNode;
import org.apache.commons.jexl2.parser.ASTUnaryMinusNode;
import org.apache.commons.jexl2.parser.JexlNode;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A JEXL engine for expressions that come in requests: arithmetic over numbers and plain variables.
 *
 * <p>What is parsed is checked against a list of node kinds before anything runs it: no method, no
 * property, no constructor, no string, no assignment, no loop, no regular expression. Behind that
 * list the engine has no way to a class at all. Any thread.
 */
@NullMarked
public final class ArithmeticJexl extends JexlEngine {
  /** Longest expression, in characters; the parser recurses. */
  static final int LENGTH_MAX = 1024;

  /** Deepest nesting of parentheses and of signs, likewise. */
  static final int DEPTH_MAX = 64;

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9_ \t.+\\-*/%()<>=!&|?:]*");

  private static final Set<Class<? extends JexlNode>> ALLOWED =
      Set.of(
          ASTAdditiveNode.class,
          ASTAdditiveOperator.class,
          ASTAndNode.class,
          ASTDivNode.class,
          ASTEQNode.class,
          ASTFalseNode.class,
          ASTGENode.class,
          ASTGTNode.class,
          ASTIdentifier.class,
          ASTJexlScript.class,
          ASTLENode.class,
          ASTLTNode.class,
          ASTModNode.class,
          ASTMulNode.class,
          ASTNENode.class,
          ASTNotNode.class,
          ASTNumberLiteral.class,
          ASTOrNode.class,
          ASTReference.class,
          ASTReferenceExpression.class,
          ASTTernaryNode.class,
          ASTTrueNode.class,
          ASTUnaryMinusNode.class);

  public ArithmeticJexl() {
    super(new NoJava(), new JexlArithmetic(true), Map.of(), null);
  }

  /**
   * Parses and checks; every way into the engine comes through here.
   *
   * @throws BadRequestException if it is more than arithmetic, or too long or too deep
   */
  @Override
  protected ASTJexlScript parse(CharSequence expression, JexlInfo info, @Nullable Scope frame) {
    if (expression.length() > LENGTH_MAX) {
      throw new BadRequestException(
          "Expression too long: characters=" + expression.length() + ", limit=" + LENGTH_MAX);
    }
    if (!CHARACTERS.matcher(expression).matches()) {
      throw new BadRequestException(
          "An expression is arithmetic over metric ids: numbers, ids, + - * / %, comparisons,"
              + " && || ! ?: and parentheses");
    }
    long openers = expression.chars().filter(c -> "(-!?".indexOf(c) >= 0).count();
    if (openers > DEPTH_MAX) {
      throw new BadRequestException(
          "Expression too deep: parentheses, signs and conditions="
              + openers
              + ", limit="
              + DEPTH_MAX);
    }
    ASTJexlScript script;
    try {
      script = super.parse(expression, info, frame);
    } catch (JexlException e) {
      throw new BadRequestException("Not an expression: " + e.getMessage());
    }
    check(script);
    return script;
  }

  private static void check(JexlNode node) {
    boolean plain =
        ALLOWED.contains(node.getClass())
            // a.b and a(b) are references of several parts
            && (!(node instanceof ASTReference) || node.jjtGetNumChildren() == 1)
            && (!(node instanceof ASTJexlScript) || node.jjtGetNumChildren() == 1)
            && (!(node instanceof ASTIdentifier) || VARIABLE.matcher(node.image).matches());
    if (!plain) {
      throw new BadRequestException(
          "An expression is arithmetic over metric ids, found "
              + node.getClass().getSimpleName().substring("AST".length()));
    }
    for (int i = 0; i < node.jjtGetNumChildren(); i++) {
      check(node.jjtGetChild(i));
    }
  }

  /** Finds no class, no method and no property. */
  private static final class NoJava implements Uberspect {
    @Override
    public void setClassLoader(ClassLoader loader) {}

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester")
    public java.lang.reflect.@Nullable Constructor<?> getConstructor(
        Object handle, Object[] arguments, JexlInfo info) {
      return null;
    }

    @Override
    public @Nullable JexlMethod getConstructorMethod(
        Object handle, Object[] arguments, JexlInfo info) {
      return null;
    }

    @Override
    public @Nullable JexlMethod getMethod(
        Object object, String method, Object[] arguments, JexlInfo info) {
      return null;
    }

    @Override
    public @Nullable JexlPropertyGet getPropertyGet(
        Object object, Object identifier, JexlInfo info) {
      return null;
    }

    @Override
    public @Nullable JexlPropertySet getPropertySet(
        Object object, Object identifier, Object argument, JexlInfo info) {
      return null;
    }

    @Override
    public @Nullable Iterator<?> getIterator(Object object, JexlInfo info) {
      return null;
    }
  }
}
