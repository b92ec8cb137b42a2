package io.packhorse.loader.receive.net;

import io.packhorse.loader.receive.CurrentIntake;
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
   * @param isOpen whether clients need not log in
   */
  record Route(String protocol, Endpoint endpoint, boolean takesPoints, boolean isOpen) {
    private static Route ofPoints(String protocol, Endpoint endpoint) {
      return new Route(protocol, endpoint, true, false);
    }
  }

  Routes(CurrentIntake intake, ReceiverStatus status) {
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
      case "/api/put", "/api/v1/put" -> Route.ofPoints("put", put);
      case "/write" ->
          RemoteWriteEndpoint.takes(contentType)
              ? Route.ofPoints("remote-write", remoteWrite)
              : Route.ofPoints("influx", influx);
      case "/api/v1/write" -> Route.ofPoints("remote-write", remoteWrite);
      case "/api/v2/write" -> Route.ofPoints("influx2", influx2);
      default -> {
        Endpoint page = pages.of(plain);
        boolean isOpen = plain.equals("/health") || plain.equals("/ping");
        yield page == null ? null : new Route("page", page, false, isOpen);
      }
    };
  }
}
