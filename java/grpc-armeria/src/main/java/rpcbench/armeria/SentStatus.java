package rpcbench.armeria;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.grpc.protocol.GrpcHeaderNames;
import com.linecorp.armeria.common.grpc.protocol.StatusMessageEscaper;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import io.grpc.Status;
import io.grpc.Status.Code;
import java.util.stream.Stream;

/**
 * Recovers the status that a server sent. If a server ends a call while its client is still sending, Armeria's client may fail to
 * send a message before it has processed the status, which is queued on the calls' executor. It then ends the call as CANCELLED
 * and drops the status, which is still in the log of the request.
 */
final class SentStatus {
  private SentStatus() {}

  /** Returns the status that the server sent, or the reported one if that is right. Must be called in a listener of the call. */
  static Status of(Status reported) {
    ClientRequestContext context = ClientRequestContext.currentOrNull();
    if (reported.getCode() != Code.CANCELLED || !(reported.getCause() instanceof ClosedStreamException) || context == null) {
      return reported;
    }
    RequestLog log = context.log().partial();
    return Stream.of(RequestLogProperty.RESPONSE_TRAILERS, RequestLogProperty.RESPONSE_HEADERS)
        .filter(log::isAvailable)
        .map(part -> part == RequestLogProperty.RESPONSE_HEADERS ? log.responseHeaders() : log.responseTrailers())
        .filter(headers -> headers.contains(GrpcHeaderNames.GRPC_STATUS))
        .map(SentStatus::read)
        .findFirst()
        .orElse(reported);
  }

  private static Status read(HttpHeaders headers) {
    String message = headers.get(GrpcHeaderNames.GRPC_MESSAGE);
    Status status = Status.fromCodeValue(headers.getInt(GrpcHeaderNames.GRPC_STATUS, Code.UNKNOWN.value()));
    return message == null ? status : status.withDescription(StatusMessageEscaper.unescape(message));
  }
}
