package rpcbench.worker;

import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import rpcbench.credential.Holder;
import rpcbench.permission.Permissions;
import rpcbench.stack.ServeConfig;
import rpcbench.worker.v1.Worker.Serve;

/** Admits the clients that the permissions allow. After a client's first call this costs one look-up. */
final class Guard implements ServeConfig.Authorize {
  private static final int KEPT_MAX = 1000; // clients; a run has one

  private final Permissions permissions;
  private final ConcurrentHashMap<X509Certificate, Optional<String>> refusals = new ConcurrentHashMap<>();

  private Guard(Permissions permissions) {
    this.permissions = permissions;
  }

  /** Null lets everybody in. */
  static ServeConfig.Authorize of(Serve serve) throws FaultException {
    if (!serve.hasPermissions()) {
      return null;
    }
    String mode = serve.getSecurity().getMode();
    if (!mode.equals(Security.MTLS)) {
      throw new FaultException(
          "serve.permissions", "with security " + mode + " clients have no names: authorization needs mtls");
    }
    return new Guard(permissions(serve));
  }

  private static Permissions permissions(Serve serve) throws FaultException {
    try {
      return new Permissions(serve.getPermissions().getInList(), serve.getPermissions().getNotInList());
    } catch (IllegalArgumentException e) {
      throw new FaultException("serve.permissions", e.getMessage());
    }
  }

  @Override
  public String refusal(X509Certificate client) {
    if (client == null) {
      return "the client has no certificate";
    }
    Optional<String> kept = refusals.get(client);
    if (kept == null) {
      kept = Optional.ofNullable(judge(Holder.nameOf(client)));
      if (refusals.size() < KEPT_MAX) {
        refusals.put(client, kept);
      }
    }
    return kept.orElse(null);
  }

  private String judge(String name) {
    if (name == null) {
      return "the client's certificate has no rpcbench name";
    }
    return permissions.allows(name) ? null : name + " may not call this server";
  }
}
