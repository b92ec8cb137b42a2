package net.opentsdb.tsd;

import java.util.Locale;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What a request does, as far as permissions differ: the role that it needs and, for changes that
 * few TSDs have to offer, the setting that allows it.
 */
@NullMarked
enum Operation {
  READ(Role.READ, "reading", null),
  WRITE_POINTS(Role.WRITE, "writing points", null),
  WRITE_ANNOTATIONS(Role.WRITE, "changing annotations", "tsd.http.allow_annotation_writes"),
  ASSIGN_UIDS(Role.ADMIN, "assigning UIDs", "tsd.http.allow_uid_assign"),
  RENAME_UIDS(Role.ADMIN, "renaming UIDs", "tsd.http.allow_uid_rename"),
  WRITE_META(Role.ADMIN, "changing meta objects", "tsd.http.allow_meta_writes"),
  WRITE_TREES(Role.ADMIN, "changing trees", "tsd.http.allow_tree_writes"),
  DELETE_DATA(Role.ADMIN, "deleting data", "tsd.http.query.allow_delete"),
  ADMINISTER(Role.ADMIN, "commands that act on the TSD itself", AdminCommands.SETTING);

  private final Role role;
  private final String description;
  private final @Nullable String setting;

  Operation(Role role, String description, @Nullable String setting) {
    this.role = role;
    this.description = description;
    this.setting = setting;
  }

  /** The role that a client needs, where a token file is configured. */
  Role role() {
    return role;
  }

  /** Words for messages. */
  String description() {
    return description;
  }

  /** The setting that has to be true; null if the operation is always available. */
  @Nullable String setting() {
    return setting;
  }

  /** Whether the operation changes stored data. */
  boolean changesData() {
    return this != READ && this != ADMINISTER;
  }

  /**
   * The operation of an HTTP request, judged by its address and method alone.
   *
   * @param route as RpcHandler looks it up, such as {@code api/uid}
   * @param endpoint what follows the route, such as {@code assign}; empty if nothing does
   * @param level whether the request has the parameter {@code level}, which {@code /logs} obeys
   */
  static Operation of(String route, String endpoint, HttpMethod method, boolean level) {
    boolean get = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    return switch (route) {
      case "api/put", "api/rollup", "api/histogram" -> WRITE_POINTS;
      case "api/annotation", "api/annotations" -> get ? READ : WRITE_ANNOTATIONS;
      case "api/uid" ->
          switch (endpoint.toLowerCase(Locale.ROOT)) {
            case "assign" -> ASSIGN_UIDS;
            case "rename" -> RENAME_UIDS;
            default -> get ? READ : WRITE_META;
          };
      case "api/tree" -> get ? READ : WRITE_TREES;
      case "api/query" -> method.equals(HttpMethod.DELETE) ? DELETE_DATA : READ;
      case "api/dropcaches", "dropcaches", "diediedie" -> ADMINISTER;
      case "logs" -> level ? ADMINISTER : READ;
      default -> READ;
    };
  }

  /** The operation of a telnet command. */
  static Operation ofTelnet(String command) {
    return switch (command) {
      case "put", "rollup", "histogram" -> WRITE_POINTS;
      case "dropcaches", "diediedie" -> ADMINISTER;
      default -> READ;
    };
  }
}
