package rpcbench.grpcjava;

import java.security.GeneralSecurityException;
import rpcbench.stack.Tls;

/** Keeps what was last made of a Tls: the connections of a worker all have the same. Safe for concurrent use. */
final class Remembered<T> {
  private final Maker<T> maker;
  private volatile Made<T> last;

  Remembered(Maker<T> maker) {
    this.maker = maker;
  }

  /** Returns what belongs to this very Tls. */
  T of(Tls tls) throws GeneralSecurityException {
    Made<T> known = last;
    if (known == null || known.tls != tls) {
      known = new Made<>(tls, maker.make(tls));
      last = known;
    }
    return known.value;
  }

  @FunctionalInterface
  interface Maker<T> {
    T make(Tls tls) throws GeneralSecurityException;
  }

  private record Made<T>(Tls tls, T value) {}
}
