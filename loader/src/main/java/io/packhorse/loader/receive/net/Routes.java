package io.packhorse.loader.receive.net;

import io.packhorse.loader.receive.Intake;
import io.packhorse.loader.receive.ReceiverStatus;
import org.jspecify.annotations.Nullable;

/** Finds the endpoint of a path. Any number of threads. */
final class Routes {
  private final Endpoint put;
  private final Endpoint influx;
  private final Endpoint influx2;
  private final Endpoint remoteWrite;
  private final PageEndpoints pages;

  /**
   * What answers a path.
   *
   * @param protocol for counts
   * @param takesPoints whether its bodies may be as long as the limit
   */
  record Route(String protocol, Endpoint endpoint, boolean takesPoints) {}

  Routes(Intake intake, ReceiverStatus status) {
    this.put = new PutEndpoint(intake);
    this.influx = new InfluxEndpoint(intake, false);
    this.influx2 = new InfluxEndpoint(intake, true);
    this.remoteWrite = new RemoteWriteEndpoint(intake);
    this.pages = new PageEndpoints(status);
  }

  /**
   * Null if there is nothing at a path; slashes at its beginning may be doubled.
   *
   * @param contentType of the body, or null
   */
  @Nullable Route of(String path, @Nullable String contentType) {
    String plain = path.replaceFirst("^/+", "/");
    return switch (plain) {
      case "/api/put", "/api/v1/put" -> new Route("put", put, true);
      case "/write" ->
          RemoteWriteEndpoint.takes(contentType)
              ? new Route("remote-write", remoteWrite, true)
              : new Route("influx", influx, true);
      case "/api/v1/write" -> new Route("remote-write", remoteWrite, true);
      case "/api/v2/write" -> new Route("influx2", influx2, true);
      default -> {
        Endpoint page = pages.of(plain);
        yield page == null ? null : new Route("page", page, false);
      }
    };
  }
}
