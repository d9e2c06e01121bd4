package rpcbench.grpc;

import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import rpcbench.stack.CallException;
import rpcbench.stack.Method;

/** The metadata of calls of somebody else's method. */
final class MethodMetadata {
  private MethodMetadata() {}

  /** Makes a call's; the library keeps and changes it. */
  static Metadata of(Method method, long call) throws CallException {
    Metadata metadata = new Metadata();
    for (Method.Metadatum entry : method.metadata()) {
      byte[] value = entry.value(call);
      if (entry.name().endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        metadata.put(Metadata.Key.of(entry.name(), Metadata.BINARY_BYTE_MARSHALLER), value);
      } else {
        String text = new String(value, StandardCharsets.US_ASCII);
        metadata.put(Metadata.Key.of(entry.name(), Metadata.ASCII_STRING_MARSHALLER), text);
      }
    }
    return metadata;
  }
}
