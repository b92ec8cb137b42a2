package io.packhorse.loader.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The process's log-in where a cluster asks for Kerberos: with the keytab that the configuration
 * names, if this user can read it, else with a ticket that is there. HBase's client renews it.
 */
final class KerberosLogin {
  // As HBase's own client reads them.
  private static final String KEYTAB = "hbase.client.keytab.file";
  private static final String PRINCIPAL = "hbase.client.keytab.principal";

  private KerberosLogin() {}

  /**
   * Logs in, once for the process; HDFS and HBase both use it.
   *
   * @param conf loses the names of a keytab that cannot be read: HBase's client would try it
   * @throws IOException if there is neither; the client alone would try for a minute to connect
   */
  static void ifAsked(Configuration conf) throws IOException {
    String kind = conf.get(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "simple");
    if (!kind.equalsIgnoreCase("kerberos")) {
      return;
    }
    try {
      UserGroupInformation.setConfiguration(conf);
    } catch (IllegalArgumentException e) {
      throw new IOException("this cluster wants Kerberos, check /etc/krb5.conf: " + reason(e), e);
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
              ? "this cluster wants Kerberos, and there is no ticket: kinit, or set "
                  + KEYTAB
                  + " and "
                  + PRINCIPAL
                  + " in the file of --hbase-conf"
              : "this cluster wants Kerberos; "
                  + keytab
                  + " cannot be read by this user, and there is no ticket: run as its owner, or"
                  + " kinit");
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
