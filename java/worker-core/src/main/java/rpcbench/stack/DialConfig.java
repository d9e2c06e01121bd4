package rpcbench.stack;

import java.util.Map;

/**
 * What a connection needs.
 *
 * @param network tcp or unix
 * @param address host:port, or a socket's path
 * @param tls null is plaintext
 * @param compression none or gzip
 * @param inFlight slots that will share this connection
 * @param wire counts sockets and bytes; see {@link Wire}
 * @param options those of {@link Info#options} that have client, no others
 */
public record DialConfig(
    String network, String address, Tls tls, String compression, int inFlight, Wire wire, Map<String, String> options) {}
