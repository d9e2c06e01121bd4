package rpcbench.credential;

import java.security.GeneralSecurityException;
import rpcbench.stack.CallException;
import rpcbench.stack.Tls;

/** Caches what was last made of a Tls, because all connections of a worker share one. Safe for concurrent use. */
public final class KeyRing<T> {
  private final Maker<T> maker;
  private volatile Made<T> last = new Made<>(null, null);

  /** Makes something of keys, {@link Keys} for example. */
  @FunctionalInterface
  public interface Maker<T> {
    T make(Tls tls) throws GeneralSecurityException, CallException;
  }

  private record Made<T>(Tls tls, T value) {}

  public KeyRing(Maker<T> maker) {
    this.maker = maker;
  }

  /** Returns the value for this Tls object; null for null, which is plaintext. Keys that can't be used are refused. */
  public T of(Tls tls) throws CallException {
    if (tls == null) {
      return null;
    }
    Made<T> known = last;
    if (known.tls != tls) {
      known = new Made<>(tls, make(tls));
      last = known;
    }
    return known.value;
  }

  private T make(Tls tls) throws CallException {
    try {
      return maker.make(tls);
    } catch (GeneralSecurityException e) {
      throw CallException.invalid("the keys can't be used: " + e.getMessage());
    }
  }
}
