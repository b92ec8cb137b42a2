package io.packhorse.cluster.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;

/** Rights of the TSD and the loader on their tables, for clusters with authorization. */
final class Grants {
  /**
   * Bulk loads, flushes and new families need CREATE; assigning many UIDs in one call needs EXEC.
   */
  private static final List<Grant> REQUIRED =
      List.of(
          new Grant("opentsdb", List.of(Action.READ, Action.WRITE)),
          new Grant("packhorse", List.of(Action.READ, Action.WRITE, Action.EXEC, Action.CREATE)));

  private Grants() {}

  private record Grant(String user, List<Action> actions) {
    boolean isCoveredBy(UserPermission present) {
      return present.getUser().equals(user)
          && Arrays.asList(present.getPermission().getActions()).containsAll(actions);
    }
  }

  /**
   * Grants missing rights and revokes none. Does nothing in a cluster without authorization.
   *
   * @return granted rights, one sentence each
   */
  static List<String> addMissing(Connection connection, List<TableName> tables) throws IOException {
    if (!connection.getConfiguration().getBoolean("hbase.security.authorization", false)) {
      return List.of();
    }
    List<String> done = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : tables) {
        List<UserPermission> present =
            admin.getUserPermissions(GetUserPermissionsRequest.newBuilder(table).build());
        for (Grant grant : REQUIRED) {
          if (present.stream().noneMatch(grant::isCoveredBy)) {
            Action[] actions = grant.actions().toArray(Action[]::new);
            Permission permission = Permission.newBuilder(table).withActions(actions).build();
            admin.grant(new UserPermission(grant.user(), permission), true);
            done.add("granted " + grant.actions() + " of " + table + " to " + grant.user());
          }
        }
      }
    }
    return done;
  }
}
