package rpcbench.worker;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rpcbench.stack.Conn;

/** The connections of a client. Several threads open them: once they are closed, one that is ready only then is closed too. */
final class Conns {
  private final Conn[] all;
  private boolean closed;

  Conns(int connections) {
    all = new Conn[connections];
  }

  /** Takes connection i, which is ready. */
  synchronized void put(int i, Conn conn) {
    if (closed) {
      conn.close();
    } else {
      all[i] = conn;
    }
  }

  /** Returns those that are ready, in their order. */
  synchronized List<Conn> ready() {
    return Stream.of(all).filter(Objects::nonNull).collect(Collectors.toList());
  }

  synchronized void close() {
    closed = true;
    ready().forEach(Conn::close);
  }
}
