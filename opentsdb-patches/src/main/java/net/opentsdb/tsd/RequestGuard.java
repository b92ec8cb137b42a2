package net.opentsdb.tsd;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.utils.Config;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFutureListener;
import org.jboss.netty.channel.ChannelLocal;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may be carried out: by the name it addresses, the client's token, the
 * mode of the TSD, the switch of the operation, the method and the type of the body, in this order.
 *
 * <p>One instance for each TSD, any thread.
 */
@NullMarked
final class RequestGuard {
  /** Setting: a {@link TokenFile}. Without it everyone who reaches the TSD may use it. */
  static final String TOKEN_FILE = "tsd.core.token_file";

  private final TSDB tsdb;
  private final HostNames hosts;
  private final @Nullable TokenFile tokens;

  /** The role of a telnet connection that has logged in. */
  private final ChannelLocal<Role> telnetRoles = new ChannelLocal<>(true);

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException if the token file cannot be used
   */
  RequestGuard(TSDB tsdb) {
    this.tsdb = tsdb;
    Config config = tsdb.getConfig();
    hosts = new HostNames(config);
    String file = config.hasProperty(TOKEN_FILE) ? config.getString(TOKEN_FILE) : null;
    tokens = file == null || file.isBlank() ? null : new TokenFile(Path.of(file.strip()));
  }

  /**
   * Checks a request to one of the TSD's own endpoints.
   *
   * @throws BadRequestException with the reason and what to do
   */
  void check(HttpQuery query, String route) {
    hosts.check(query.request().headers().get(HttpHeaders.Names.HOST));
    String override = query.getQueryStringParam("method_override");
    if (override != null && !override.equalsIgnoreCase("get")) {
      throw new BadRequestException(
          HttpResponseStatus.METHOD_NOT_ALLOWED,
          "method_override is not supported; send the request with the method " + override);
    }
    String[] path = route.startsWith("api/") ? query.explodeAPIPath() : new String[] {route};
    Operation operation =
        Operation.of(
            route,
            path.length > 1 ? path[1] : "",
            query.method(),
            query.hasQueryStringParam("level"));
    authenticate(query, operation);
    require(query, operation);
    BodyObjects.check(query.request().getContent());
  }

  /** Checks a request to an endpoint of a plugin, which needs the role write unless it is a GET. */
  void checkPlugin(AbstractHttpQuery query) {
    hosts.check(query.request().headers().get(HttpHeaders.Names.HOST));
    authenticate(
        query, query.method().equals(HttpMethod.GET) ? Operation.READ : Operation.WRITE_POINTS);
  }

  /**
   * Checks a query that may ask, in its body, for the deletion of what it finds. Such queries are
   * rare, so that the settings are simply read again.
   *
   * @throws BadRequestException as for {@link #check}
   */
  static void checkDelete(TSDB tsdb, HttpQuery query, TSQuery parsed) {
    if (parsed.getDelete()) {
      RequestGuard guard = new RequestGuard(tsdb);
      guard.authenticate(query, Operation.DELETE_DATA);
      guard.require(query, Operation.DELETE_DATA);
    }
  }

  private void require(HttpQuery query, Operation operation) {
    if (operation.changesData() && tsdb.getMode() == TSDB.OperationMode.READONLY) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "This TSD is read-only (tsd.mode=ro): " + operation.description() + " is refused");
    }
    String setting = operation.setting();
    if (setting != null && operation.changesData() && !isTrue(setting)) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "Over HTTP "
              + operation.description()
              + " is switched off; "
              + setting
              + "=true allows it");
    }
    if (operation.changesData()) {
      requireMethodAndType(query, operation);
    }
  }

  private static void requireMethodAndType(HttpQuery query, Operation operation) {
    if (query.method().equals(HttpMethod.GET) || query.method().equals(HttpMethod.HEAD)) {
      throw new BadRequestException(
          HttpResponseStatus.METHOD_NOT_ALLOWED,
          "A GET changes nothing here: " + operation.description() + " needs POST, PUT or DELETE");
    }
    String type = query.request().headers().get(HttpHeaders.Names.CONTENT_TYPE);
    if (query.request().getContent().readable() && !isJson(type)) {
      throw new BadRequestException(
          HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
          "The body needs the header Content-Type: application/json, not " + type);
    }
  }

  private static boolean isJson(@Nullable String type) {
    if (type == null) {
      return false;
    }
    int end = type.indexOf(';');
    String media = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    return media.equals("application/json") || media.endsWith("+json");
  }

  private boolean isTrue(String setting) {
    Config config = tsdb.getConfig();
    return config.hasProperty(setting) && config.getBoolean(setting);
  }

  private void authenticate(AbstractHttpQuery query, Operation operation) {
    if (tokens == null) {
      return;
    }
    Role role = roleOf(tokens, query.request().headers().get(HttpHeaders.Names.AUTHORIZATION));
    if (role == null) {
      query
          .response()
          .headers()
          .set(HttpHeaders.Names.WWW_AUTHENTICATE, "Basic realm=\"OpenTSDB\"");
      throw new BadRequestException(
          HttpResponseStatus.UNAUTHORIZED,
          "Log in with a token: Authorization: Bearer TOKEN, or Basic with name and token");
    }
    if (!role.includes(operation.role())) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "Your token has the role "
              + lower(role)
              + "; "
              + operation.description()
              + " needs "
              + lower(operation.role()));
    }
  }

  private static String lower(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Role roleOf(TokenFile tokens, @Nullable String authorization) {
    if (authorization == null) {
      return null;
    }
    String[] parts = authorization.strip().split(" +", 2);
    if (parts.length != 2) {
      return null;
    }
    if (parts[0].equalsIgnoreCase("Bearer")) {
      return tokens.roleOf(null, parts[1]);
    }
    if (!parts[0].equalsIgnoreCase("Basic")) {
      return null;
    }
    try {
      String pair = new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8);
      int colon = pair.indexOf(':');
      return colon < 0 ? null : tokens.roleOf(pair.substring(0, colon), pair.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Checks a telnet command. With a token file the first line of a connection is {@code auth TOKEN}
   * or {@code auth NAME TOKEN}; a connection that sends anything else is closed.
   *
   * @return whether to carry the command out; if not, the client has been answered
   */
  boolean allowsTelnet(Channel channel, String[] command) {
    if (tokens == null) {
      return true;
    }
    Role role = telnetRoles.get(channel);
    if (command[0].equals("auth") && (command.length == 2 || command.length == 3)) {
      Role found =
          tokens.roleOf(command.length == 3 ? command[1] : null, command[command.length - 1]);
      if (found != null) {
        telnetRoles.set(channel, found);
        channel.write("ok\n");
        return false;
      }
      role = null;
    }
    if (role == null) {
      channel
          .write("error: log in first with: auth NAME TOKEN\n")
          .addListener(ChannelFutureListener.CLOSE);
      return false;
    }
    Operation operation = Operation.ofTelnet(command[0]);
    if (!role.includes(operation.role())) {
      channel.write(
          "error: "
              + operation.description()
              + " needs the role "
              + lower(operation.role())
              + "\n");
      return false;
    }
    return true;
  }
}
