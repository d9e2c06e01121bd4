package rpcbench.httpjson;

import java.security.GeneralSecurityException;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.stack.Tls;

/** Keeps the keys that were used last, so that opening a connection does not read certificates. */
final class KeyRing {
  private volatile Keys last;

  /** Returns null where tls is, which is plaintext. */
  Keys of(Tls tls) throws CallException {
    if (tls == null) {
      return null;
    }
    Keys keys = last;
    if (keys == null || !keys.areOf(tls)) {
      try {
        keys = new Keys(tls);
      } catch (GeneralSecurityException e) {
        throw unusable(e);
      }
      last = keys;
    }
    return keys;
  }

  static CallException unusable(GeneralSecurityException e) {
    return new CallException(Code.INVALID_ARGUMENT, "the keys can't be used: " + e.getMessage(), e);
  }
}
