package io.packhorse.loader.source.openmetrics;

import java.io.IOException;

/** The bytes are not the protobuf message they should be. */
public final class MalformedRequestException extends IOException {
  private static final long serialVersionUID = 1;

  MalformedRequestException(String what, int at) {
    super(what + " at byte " + at);
  }
}
