package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.ZipException;
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

  /** Each exception as the library or a parser of messages throws it. */
  @Test
  void aMessageThatCannotBeReadIsInternal() {
    InvalidProtocolBufferException cut = new InvalidProtocolBufferException(new EOFException("unexpected end"));
    Throwable[] causes = {
      Status.INTERNAL.withDescription("Invalid protobuf byte sequence").withCause(cut).asRuntimeException(),
      new UncheckedIOException(new EOFException("unexpected end")),
      new RuntimeException(new ZipException("invalid stored block lengths")),
      new IllegalArgumentException("not a message"),
    };
    for (Throwable cause : causes) {
      Status status = Status.CANCELLED.withDescription("Failed to read message.").withCause(cause);
      assertEquals(Code.INTERNAL, Failure.of(status).code(), cause.toString());
    }
    Status garbage = Status.UNKNOWN.withCause(new RuntimeException(new ZipException("not in gzip format")));
    assertEquals(Code.INTERNAL, Failure.of(garbage).code());
  }

  @Test
  void aBrokenSocketIsUnavailable() {
    for (Status status : new Status[] {Status.INTERNAL, Status.UNKNOWN}) {
      assertEquals(Code.UNAVAILABLE, Failure.of(status.withCause(new IOException("reset"))).code());
      assertEquals(status.getCode().name(), Failure.of(status.withCause(new IllegalStateException("a defect"))).code().name());
    }
  }

  @Test
  void aCancelledCallIsCancelled() {
    for (Throwable cause : new Throwable[] {null, new IOException("gone"), Status.CANCELLED.asRuntimeException()}) {
      assertEquals(Code.CANCELLED, Failure.of(Status.CANCELLED.withCause(cause)).code(), String.valueOf(cause));
    }
  }
}
