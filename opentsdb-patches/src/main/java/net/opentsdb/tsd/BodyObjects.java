package net.opentsdb.tsd;

import java.nio.charset.StandardCharsets;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * Limits the objects in a JSON body, which take a multiple of its bytes once they are parsed: 16 MB
 * of {@code {},} alone would be some 500 MB of heap.
 */
@NullMarked
final class BodyObjects {
  /** A point has two: itself and its tags. */
  static final int MAX = 200_000;

  private BodyObjects() {}

  /**
   * Counts opening braces, in strings too.
   *
   * @throws BadRequestException 413 if there are too many; 400 for the word null, which upstream's
   *     handlers do not expect
   */
  static void check(ChannelBuffer body) {
    if (body.readableBytes() < 100
        && body.toString(StandardCharsets.UTF_8).strip().equals("null")) {
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST, "The body is null; send a JSON object");
    }
    int objects = 0;
    // An object has two bytes at least.
    int end = body.readableBytes() <= 2 * MAX ? body.readerIndex() : body.writerIndex();
    for (int at = body.readerIndex(); at < end; at++) {
      if (body.getByte(at) == '{' && ++objects > MAX) {
        throw new BadRequestException(
            HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
            "The body has more than "
                + MAX
                + " JSON objects; send "
                + MAX / 2
                + " points at most in one request");
      }
    }
  }
}
