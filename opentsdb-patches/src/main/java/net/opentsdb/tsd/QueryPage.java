package net.opentsdb.tsd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import net.opentsdb.core.TSDB;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The page at {@code /}, where a person looks at data, and its files under {@code /page/}.
 *
 * <p>All of it lies in this jar; the page asks no other server and runs no inline script. One
 * instance a TSD, any thread.
 */
@NullMarked
final class QueryPage implements HttpRpc {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String SCRIPT = "text/javascript; charset=UTF-8";

  private static final Map<String, PageFile> FILES =
      Map.ofEntries(
          Map.entry("", read("index.html", "text/html; charset=UTF-8")),
          Map.entry("page/icon.svg", read("icon.svg", "image/svg+xml")),
          Map.entry("page/query.css", read("query.css", "text/css; charset=UTF-8")),
          Map.entry("page/query.mjs", read("query.mjs", SCRIPT)),
          Map.entry("page/ask.mjs", read("ask.mjs", SCRIPT)),
          Map.entry("page/chart.mjs", read("chart.mjs", SCRIPT)),
          Map.entry("page/combobox.mjs", read("combobox.mjs", SCRIPT)),
          Map.entry("page/form.mjs", read("form.mjs", SCRIPT)),
          Map.entry("page/points.mjs", read("points.mjs", SCRIPT)),
          Map.entry("page/table.mjs", read("table.mjs", SCRIPT)),
          Map.entry("page/uPlot.css", read("uPlot.min.css", "text/css; charset=UTF-8")),
          Map.entry("page/uPlot.js", read("uPlot.iife.min.js", SCRIPT)));

  private record PageFile(byte[] content, String type, String tag) {}

  @Override
  public void execute(TSDB tsdb, HttpQuery query) {
    RpcUtil.allowedMethods(query.method(), HttpMethod.GET.getName());
    PageFile file = FILES.get(String.join("/", query.explodePath()));
    if (file == null) {
      query.notFound();
      return;
    }
    HttpHeaders headers = query.response().headers();
    headers.set(ResponseHeaders.POLICY, POLICY);
    headers.set(HttpHeaders.Names.CACHE_CONTROL, "no-cache");
    headers.set(HttpHeaders.Names.ETAG, file.tag());
    if (file.tag().equals(query.request().headers().get(HttpHeaders.Names.IF_NONE_MATCH))) {
      query.sendStatusOnly(HttpResponseStatus.NOT_MODIFIED);
    } else {
      query.sendBuffer(
          HttpResponseStatus.OK, ChannelBuffers.wrappedBuffer(file.content()), file.type());
    }
  }

  private static PageFile read(String name, String type) {
    try (@Nullable InputStream in = QueryPage.class.getResourceAsStream("page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the overlay jar lacks its page: file=" + name);
      }
      byte[] content = in.readAllBytes();
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return new PageFile(content, type, '"' + HexFormat.of().formatHex(digest, 0, 12) + '"');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
