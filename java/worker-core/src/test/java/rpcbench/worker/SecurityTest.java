package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import rpcbench.stack.Tls;
import rpcbench.worker.v1.Worker.Security;

class SecurityTest {
  private static String fault(Security.Builder security) {
    return assertThrows(FaultException.class, () -> rpcbench.worker.Security.ofClient(security.build())).field();
  }

  /** A client trusts one certificate, the system's, or any. */
  @Test
  void whatAClientTrustsIsOneThing() throws FaultException {
    assertEquals("connect.security.skip_verify", fault(Keys.client("tls").setSkipVerify(true)));
    assertEquals("connect.security.system_roots", fault(Keys.client("mtls").setSystemRoots(true)));
    assertEquals("connect.security.skip_verify", fault(Keys.client("tls").clearCaPem().setSkipVerify(true).setSystemRoots(true)));
    assertEquals("connect.security.skip_verify", fault(Security.newBuilder().setMode("plaintext").setSkipVerify(true)));
    assertEquals("connect.security.system_roots", fault(Security.newBuilder().setMode("plaintext").setSystemRoots(true)));
    Tls any = rpcbench.worker.Security.ofClient(Keys.client("tls").clearCaPem().setSkipVerify(true).build());
    assertTrue(any.unverified());
    Tls system = rpcbench.worker.Security.ofClient(Keys.client("tls").clearCaPem().setSystemRoots(true).build());
    assertNull(system.authority());
  }
}
