package net.opentsdb.tsd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Serves files below the static root, and no others; links are followed before the check.
 *
 * <p>Any thread; nothing is kept.
 */
@NullMarked
final class StaticFiles {
  private static final int MAX_AGE_S = 3600;

  private StaticFiles() {}

  /**
   * Answers {@code /s/NAME} and {@code /favicon.ico}; 404 for whatever is not a file in the root.
   */
  static void send(String root, HttpQuery query) throws IOException {
    String path = new QueryStringDecoder(query.request().getUri()).getPath();
    Path file = resolve(Path.of(root), path.startsWith("/s/") ? path.substring(3) : path);
    if (file == null) {
      query.notFound();
      return;
    }
    query.response().headers().set(ResponseHeaders.POLICY, "default-src 'self'; base-uri 'none'");
    query.response().headers().set(HttpHeaders.Names.CACHE_CONTROL, "max-age=" + MAX_AGE_S);
    query.sendFile(file.toString(), MAX_AGE_S);
  }

  /**
   * The file that a name means, or null.
   *
   * @param name relative path, percent signs decoded once
   */
  static @Nullable Path resolve(Path root, String name) throws IOException {
    String relative = name.startsWith("/") ? name.substring(1) : name;
    boolean odd =
        relative.chars().anyMatch(c -> c < ' ' || c == '\\' || c == ':' || c == 0x7f)
            || relative.getBytes(StandardCharsets.UTF_8).length > 1024
            || List.of(relative.split("/", -1)).stream()
                .anyMatch(part -> part.isEmpty() || part.startsWith("."));
    if (odd) {
      return null;
    }
    try {
      Path base = root.toRealPath();
      Path file = base.resolve(relative).toRealPath();
      return file.startsWith(base) && Files.isRegularFile(file) ? file : null;
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }
}
