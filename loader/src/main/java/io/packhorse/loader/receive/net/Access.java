package io.packhorse.loader.receive.net;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;

/**
 * Who may send, and how.
 *
 * @param tls with which every listener speaks, if it is there
 * @param credentials that clients of HTTP need, if they are there
 */
public record Access(Optional<SslContext> tls, Optional<Credentials> credentials) {
  /** Everybody, in the clear. */
  public static final Access OPEN = new Access(Optional.empty(), Optional.empty());

  /**
   * Reads what TLS needs.
   *
   * @param certificate of the server, with those that it is signed by, in PEM
   * @param key of the certificate, in PEM (PKCS#8), without a password
   * @throws IOException if a file cannot be read, or is something else
   */
  public static SslContext tls(Path certificate, Path key) throws IOException {
    for (Path file : new Path[] {certificate, key}) {
      if (!Files.isReadable(file)) {
        throw new IOException(file + " cannot be read");
      }
    }
    try {
      return SslContextBuilder.forServer(certificate.toFile(), key.toFile()).build();
    } catch (IllegalArgumentException e) {
      Throwable cause = e.getCause();
      String why = cause instanceof GeneralSecurityException ? ": " + cause.getMessage() : "";
      throw new IOException(
          certificate
              + " and "
              + key
              + " must be a certificate and its key in PEM, the key as PKCS#8 (BEGIN PRIVATE KEY)"
              + " without a password"
              + why,
          e);
    }
  }
}
