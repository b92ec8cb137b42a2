package net.opentsdb.tsd;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import net.opentsdb.utils.Config;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The host names by which clients may address the TSD, against DNS rebinding: a page of another
 * site whose name is made to point at this machine counts as the TSD's own page to a browser, but
 * its requests still carry that name.
 *
 * <p>{@value #SETTING} lists names, without ports; {@code *} allows any. If it is empty, a TSD on
 * loopback accepts {@code localhost} and the names of its machine, any other TSD accepts all names.
 * IP addresses are always accepted. Immutable, any thread.
 */
@NullMarked
final class HostNames {
  static final String SETTING = "tsd.http.host_names";

  /** Null if any name is accepted. */
  private final @Nullable Set<String> names;

  HostNames(Config config) {
    String setting = config.hasProperty(SETTING) ? config.getString(SETTING) : "";
    if (setting == null || setting.isBlank()) {
      names = isLoopback(config.getString("tsd.network.bind")) ? namesOfThisMachine() : null;
    } else if (setting.strip().equals("*")) {
      names = null;
    } else {
      names = new HashSet<>();
      for (String name : setting.split(",", -1)) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
      }
    }
  }

  private static boolean isLoopback(@Nullable String bind) {
    try {
      return bind != null && !bind.isEmpty() && InetAddress.getByName(bind).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static Set<String> namesOfThisMachine() {
    Set<String> found = new HashSet<>();
    found.add("localhost");
    try {
      InetAddress here = InetAddress.getLocalHost();
      found.add(here.getHostName().toLowerCase(Locale.ROOT));
      found.add(here.getCanonicalHostName().toLowerCase(Locale.ROOT));
    } catch (UnknownHostException e) {
      // A machine without a name of its own is still localhost.
    }
    return found;
  }

  /**
   * Checks the header Host; a request without one is not from a browser.
   *
   * @throws BadRequestException 421 if the name is not allowed
   */
  void check(@Nullable String host) {
    if (names == null || host == null) {
      return;
    }
    String name = withoutPort(host).toLowerCase(Locale.ROOT);
    if (!isAddress(name) && !names.contains(name)) {
      throw new BadRequestException(
          new HttpResponseStatus(421, "Misdirected Request"),
          "This TSD is not addressed as \""
              + name
              + "\"; "
              + SETTING
              + " lists the names it accepts");
    }
  }

  /** The part of host:port before the port; brackets of an IPv6 address stay. */
  static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  private static boolean isAddress(String name) {
    return name.startsWith("[") || name.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  }
}
