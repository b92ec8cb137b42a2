package net.opentsdb.query.expression;

/**
 * Thrown by iterator methods that have no meaning there.
 *
 * <p>Stands in for the JDK-internal class of this name, which JDK 17 neither lets the compiler see
 * nor the running TSD throw.
 */
final class NotImplementedException extends UnsupportedOperationException {
  private static final long serialVersionUID = 1;
}
