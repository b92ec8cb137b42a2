package io.packhorse.loader.table;

/**
 * A live region server.
 *
 * @param name host and port
 * @param clockMs the server's clock when it last reported, milliseconds since 1970
 * @param askedMs this machine's clock when the report was read, milliseconds since 1970
 * @param webPort of its page; 0 or less if it has none
 */
public record FoundServer(String name, long clockMs, long askedMs, int webPort) {}
