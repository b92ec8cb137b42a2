package io.packhorse.loader.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log-ins that fail; a ticket needs a KDC, which the lab has. */
class KerberosLoginTest {
  private static final String KRB5 = "java.security.krb5.conf";

  private final Configuration conf = new Configuration(false);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @BeforeEach
  void nameARealmWithoutKdc() throws IOException {
    Path krb5 = folder.resolve("krb5.conf");
    Files.writeString(
        krb5,
        """
        [libdefaults]
          default_realm = EXAMPLE.ORG
          default_ccache_name = %s/none
        [realms]
          EXAMPLE.ORG = {
            kdc = 127.0.0.1:9
          }
        """
            .formatted(folder));
    System.setProperty(KRB5, krb5.toString());
    conf.set("hadoop.security.authentication", "kerberos");
  }

  @AfterEach
  void forget() {
    System.clearProperty(KRB5);
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration(false));
  }

  @Test
  void doesNothingWithoutKerberos() throws IOException {
    KerberosLogin.ifRequired(new Configuration(false));

    assertFalse(UserGroupInformation.isSecurityEnabled());
  }

  @Test
  void saysWhatToDoWithoutATicket() {
    String said = refusal();

    assertTrue(
        said.contains("there is no ticket; run kinit, or set hbase.client.keytab.file"), said);
  }

  @Test
  void saysThatAKeytabCannotBeRead() {
    conf.set("hbase.client.keytab.file", folder.resolve("none.keytab").toString());
    conf.set("hbase.client.keytab.principal", "packhorse/here@EXAMPLE.ORG");

    String said = refusal();

    assertTrue(said.contains("this user cannot read ") && said.contains("none.keytab"), said);
    assertEquals("", conf.get("hbase.client.keytab.file", ""));
  }

  @Test
  void saysWhyALogInFails() throws IOException {
    Path keytab = Files.write(folder.resolve("empty.keytab"), new byte[] {5, 2});
    conf.set("hbase.client.keytab.file", keytab.toString());
    conf.set("hbase.client.keytab.principal", "packhorse/here@EXAMPLE.ORG");

    String said = refusal();

    assertTrue(said.startsWith("cannot log in to Kerberos as packhorse/here@EXAMPLE.ORG"), said);
  }

  private String refusal() {
    return String.valueOf(
        assertThrows(IOException.class, () -> KerberosLogin.ifRequired(conf)).getMessage());
  }
}
