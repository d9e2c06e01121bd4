package rpcbench.worker;

import java.util.List;
import rpcbench.stack.Calibrated;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/** A codec that does nothing, the number of times that its Call.Codec says. */
final class CodecStack implements Stack {
  @Override
  public Info info() {
    return new Info(
        "codec-nothing", "codec", "nothing 1.0", false, true, List.of(Kind.ENCODE, Kind.DECODE), List.of(), List.of(),
        List.of(), false, List.of(), List.of("small", "large"), List.of("none"), false);
  }

  @Override
  public Server serve(ServeConfig config) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Conn dial(DialConfig config) {
    return new Conn() {
      @Override
      public Caller caller(Call call, int slot) {
        return new Nothing(call.codec());
      }

      @Override
      public void close() {}
    };
  }

  private record Nothing(Call.Codec codec) implements Caller, Calibrated {
    @Override
    public void start(Done done) {
      done.done(null);
    }

    @Override
    public void cancel() {}

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }

    @Override
    public long repeat() {
      return codec.sampleNs() / 1_000_000;
    }

    @Override
    public long encodedBytes() {
      return codec.seed();
    }

    @Override
    public long gzippedBytes() {
      return codec.message().length();
    }

    @Override
    public long plainBytes() {
      return codec.seed() + 1;
    }
  }
}
