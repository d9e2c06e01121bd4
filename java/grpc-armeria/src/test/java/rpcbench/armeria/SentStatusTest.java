package rpcbench.armeria;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.util.SafeCloseable;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

class SentStatusTest {
  private static final Status LOST = Status.CANCELLED.withCause(ClosedStreamException.get());
  private final ClientRequestContext context = ClientRequestContext.of(HttpRequest.of(HttpMethod.POST, "/"));

  private Status of(Status reported) {
    try (SafeCloseable pushed = context.push()) {
      return SentStatus.of(reported);
    }
  }

  private static void assertDenied(Status status) {
    assertEquals(Status.Code.PERMISSION_DENIED, status.getCode());
    assertEquals("not you, café", status.getDescription());
  }

  @Test
  void itIsInTheHeadersOfACallThatHasNothingElse() {
    context.logBuilder().responseHeaders(ResponseHeaders.of(HttpStatus.OK, "grpc-status", 7, "grpc-message", "not you, caf%C3%A9"));
    assertDenied(of(LOST));
  }

  @Test
  void itIsInTheTrailersBehindAnswers() {
    context.logBuilder().responseHeaders(ResponseHeaders.of(HttpStatus.OK));
    assertSame(LOST, of(LOST));
    context.logBuilder().responseTrailers(HttpHeaders.of("grpc-status", 7, "grpc-message", "not you, caf%C3%A9"));
    assertDenied(of(LOST));
  }

  @Test
  void noOtherStatusIsReplaced() {
    context.logBuilder().responseHeaders(ResponseHeaders.of(HttpStatus.OK, "grpc-status", 0));
    assertSame(Status.CANCELLED, of(Status.CANCELLED));
    assertSame(Status.INTERNAL, of(Status.INTERNAL));
    assertSame(LOST, SentStatus.of(LOST));
    assertEquals(Status.Code.OK, of(LOST).getCode());
  }
}
