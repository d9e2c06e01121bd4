package rpcbench.codec;

import java.util.Map;
import java.util.function.LongSupplier;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;

/** Takes the place of a connection: its Callers encode and decode messages. */
final class CodecConn implements Conn {
  private final Map<String, Codec> codecs;
  private final LongSupplier now;
  private volatile CodecCaller made; // null until it is requested

  CodecConn(Map<String, Codec> codecs, LongSupplier now) {
    this.codecs = codecs;
    this.now = now;
  }

  @Override
  public Caller caller(Call call, int slot) throws CallException {
    Call.Codec asked = call.codec();
    boolean decodes = call.kind().equals(Kind.DECODE);
    Content content = Contents.make(asked.message(), asked.seed());
    try {
      made = new CodecCaller(codecs.get(asked.codec()).bind(content), decodes, now, asked.sampleNs());
      return made;
    } catch (Exception e) {
      throw new CallException(Code.DATA_LOSS, asked.codec() + " of " + asked.message() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    if (made != null) {
      made.cancel();
    }
  }
}
