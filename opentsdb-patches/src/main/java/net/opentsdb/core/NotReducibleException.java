package net.opentsdb.core;

import org.jspecify.annotations.NullMarked;

/** Rows of a query cannot be reduced to intervals; the query reads them again as they are. */
@NullMarked
final class NotReducibleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotReducibleException(String why) {
    super(why);
  }
}
