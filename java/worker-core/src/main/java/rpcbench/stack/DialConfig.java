package rpcbench.stack;

import java.util.Map;

/**
 * The parameters of a connection.
 *
 * @param network tcp or unix
 * @param address host:port, or a socket's path
 * @param tls null for plaintext
 * @param compression none or gzip
 * @param inFlight the number of slots that share this connection
 * @param wire counts sockets and bytes; see {@link Wire}
 * @param options only those of {@link Info#options} with client
 */
public record DialConfig(
    String network, String address, Tls tls, String compression, int inFlight, Wire wire, Map<String, String> options) {}
