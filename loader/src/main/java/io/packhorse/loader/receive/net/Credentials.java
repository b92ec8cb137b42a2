package io.packhorse.loader.receive.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Names and passwords that clients of HTTP may log in with: by basic authentication, by a token, or
 * by the parameters {@code u} and {@code p} of InfluxDB 1. A token is a password, or a name, a
 * colon and a password. Any number of threads.
 */
public final class Credentials {
  /** Hashes of what may be sent, of equal length, so that comparing takes equal time. */
  private final List<byte[]> pairs = new ArrayList<>();

  private final List<byte[]> tokens = new ArrayList<>();

  private Credentials() {}

  /**
   * Reads a file with a name, a colon and a password a line. Empty lines and lines that begin with
   * {@code #} are skipped.
   *
   * @throws IOException if it cannot be read, has another line, or has none; the message has no
   *     password
   */
  public static Credentials read(Path file) throws IOException {
    Credentials credentials = new Credentials();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String pair = line.strip();
      if (pair.isEmpty() || pair.startsWith("#")) {
        continue;
      }
      int colon = pair.indexOf(':');
      if (colon < 1 || colon == pair.length() - 1) {
        throw new IOException(file + ", line " + number + ": write a name, a colon and a password");
      }
      credentials.pairs.add(hash(pair));
      credentials.tokens.add(hash(pair));
      credentials.tokens.add(hash(pair.substring(colon + 1)));
    }
    if (credentials.pairs.isEmpty()) {
      throw new IOException(file + " has no name and password");
    }
    return credentials;
  }

  /** Whether a request is sent by somebody who may. */
  boolean admit(HttpRequest head, QueryStringDecoder uri) {
    String header = head.headers().get(HttpHeaderNames.AUTHORIZATION);
    if (header != null) {
      String[] words = header.strip().split(" +", 2);
      if (words.length < 2) {
        return false;
      }
      return switch (words[0].toLowerCase(Locale.ROOT)) {
        case "basic" -> isAmong(pairs, decoded(words[1]));
        case "token", "bearer" -> isAmong(tokens, words[1]);
        default -> false;
      };
    }
    return isAmong(pairs, parameter(uri, "u") + ":" + parameter(uri, "p"));
  }

  private static @Nullable String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String parameter(QueryStringDecoder uri, String name) {
    List<String> values = uri.parameters().get(name);
    return values == null || values.isEmpty() ? "" : values.get(0);
  }

  private static boolean isAmong(List<byte[]> hashes, @Nullable String sent) {
    if (sent == null) {
      return false;
    }
    byte[] hash = hash(sent);
    boolean found = false;
    for (byte[] each : hashes) {
      found |= MessageDigest.isEqual(each, hash);
    }
    return found;
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
