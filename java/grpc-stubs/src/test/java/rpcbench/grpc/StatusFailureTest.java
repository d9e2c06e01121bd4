package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

class StatusFailureTest {
  @Test
  void aMessageThatCannotBeReadCountsByItsCause() {
    Status because = Status.RESOURCE_EXHAUSTED.withDescription("too long");
    CallException failure = Failure.of(
        Status.CANCELLED.withDescription("Failed to read message.").withCause(because.asRuntimeException()));
    assertEquals(Code.RESOURCE_EXHAUSTED, failure.code());
    assertEquals("Failed to read message.: RESOURCE_EXHAUSTED: too long", failure.getMessage());
  }

  @Test
  void aCancelledCallIsCancelled() {
    for (Throwable cause : new Throwable[] {null, new IOException("gone"), Status.CANCELLED.asRuntimeException()}) {
      assertEquals(Code.CANCELLED, Failure.of(Status.CANCELLED.withCause(cause)).code(), String.valueOf(cause));
    }
  }
}
