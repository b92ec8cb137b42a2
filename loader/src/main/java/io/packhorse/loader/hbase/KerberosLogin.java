package io.packhorse.loader.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Logs this process in if the cluster requires Kerberos: with the keytab of the configuration if
 * this user can read it, else with an existing ticket. HBase's client renews the login. Any thread.
 */
final class KerberosLogin {
  // Settings of HBase's own client.
  private static final String KEYTAB = "hbase.client.keytab.file";
  private static final String PRINCIPAL = "hbase.client.keytab.principal";

  private KerberosLogin() {}

  /**
   * Logs in once for the process; HDFS and HBase both use the login.
   *
   * @param conf a keytab that cannot be read is removed from it, because HBase's client would try
   *     it
   * @throws IOException if there is neither keytab nor ticket
   */
  static void ifRequired(Configuration conf) throws IOException {
    String kind = conf.get(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "simple");
    if (!kind.equalsIgnoreCase("kerberos")) {
      return;
    }
    try {
      UserGroupInformation.setConfiguration(conf);
    } catch (IllegalArgumentException e) {
      throw new IOException("the cluster requires Kerberos; check /etc/krb5.conf: " + reason(e), e);
    }
    String keytab = conf.get(KEYTAB, "");
    String principal = conf.get(PRINCIPAL, "");
    if (!keytab.isEmpty() && Files.isReadable(Path.of(keytab))) {
      logIn(principal, keytab);
      return;
    }
    conf.unset(KEYTAB);
    conf.unset(PRINCIPAL);
    if (!UserGroupInformation.getLoginUser().hasKerberosCredentials()) {
      throw new IOException(
          keytab.isEmpty()
              ? "the cluster requires Kerberos, and there is no ticket; run kinit, or set "
                  + KEYTAB
                  + " and "
                  + PRINCIPAL
                  + " in the file of --hbase-conf"
              : "the cluster requires Kerberos; this user cannot read "
                  + keytab
                  + ", and there is no ticket; run as the owner of that file, or run kinit");
    }
  }

  private static void logIn(String principal, String keytab) throws IOException {
    if (UserGroupInformation.isLoginKeytabBased()
        && UserGroupInformation.getLoginUser().getUserName().equals(principal)) {
      return;
    }
    try {
      UserGroupInformation.loginUserFromKeytab(principal, keytab);
    } catch (IOException e) {
      throw new IOException(
          "cannot log in to Kerberos as " + principal + " with " + keytab + ": " + reason(e), e);
    }
  }

  private static String reason(Throwable e) {
    Throwable last = e;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return String.valueOf(last.getMessage());
  }
}
