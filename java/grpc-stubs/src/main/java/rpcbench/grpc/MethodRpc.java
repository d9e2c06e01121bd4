package rpcbench.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.Message;
import rpcbench.stack.Method;

/**
 * A call of a foreign method, in terms of gRPC. Requests are already encoded, and of replies only the length is read. Safe for
 * concurrent use.
 */
public final class MethodRpc implements Streaming<byte[], Integer> {
  private final Call call;
  private final Method asked;
  private final MethodDescriptor<byte[], Integer> method;
  private final List<Entry<?>> entries = new ArrayList<>();

  /** An entry of metadata. */
  private record Entry<T>(Metadata.Key<T> key, Made<T> value) {
    private interface Made<T> {
      T of(long call) throws CallException;
    }

    static Entry<?> of(Method.Metadatum entry) {
      if (entry.name().endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        return new Entry<>(Metadata.Key.of(entry.name(), Metadata.BINARY_BYTE_MARSHALLER), entry::value);
      }
      return new Entry<>(
          Metadata.Key.of(entry.name(), Metadata.ASCII_STRING_MARSHALLER),
          call -> new String(entry.value(call), StandardCharsets.US_ASCII));
    }

    void add(Metadata to, long call) throws CallException {
      to.put(key, value.of(call));
    }
  }

  private MethodRpc(Call call) {
    this.call = call;
    this.asked = call.method();
    this.method = RawMessages.method(asked.name(), call.kind());
    asked.metadata().forEach(entry -> entries.add(Entry.of(entry)));
  }

  /** Describes a call that has a method. */
  public static MethodRpc of(Call call) {
    return new MethodRpc(call);
  }

  @Override
  public Call call() {
    return call;
  }

  @Override
  public MethodDescriptor<byte[], Integer> method() {
    return method;
  }

  @Override
  public Answers<Integer> answers() {
    return Answers.single(length -> length, length -> null);
  }

  /** Returns the number of the next call. */
  public long nextCall() {
    return asked.ledger().nextCall();
  }

  /** Reports whether the call expects exactly one reply. */
  public boolean wantsOne() {
    return call.kind().equals(Kind.UNARY) || call.kind().equals(Kind.UPLOAD);
  }

  /** Reports whether the call needs no more than this many replies. */
  public boolean isFull(long replies) {
    return call.kind().equals(Kind.DOWNLOAD) && call.messages() > 0 && replies == call.messages();
  }

  /** Returns the number of messages that a call sends. */
  public int messages(long number) {
    return switch (call.kind()) {
      case Kind.UPLOAD, Kind.STREAM -> call.messages() > 0 ? call.messages() : asked.requests().messages(number);
      default -> 1;
    };
  }

  /** Returns message i of a call. */
  public byte[] message(long number, int i) throws CallException {
    return asked.requests().message(number, i);
  }

  /** Returns a call's metadata, which the library keeps and changes. */
  public Metadata metadata(long number) throws CallException {
    Metadata metadata = new Metadata();
    for (Entry<?> entry : entries) {
      entry.add(metadata, number);
    }
    return metadata;
  }

  /** Counts what a successful call carried, within its phase's window or after it. */
  public void count(Ledger.Entry carried, boolean late) {
    if (late) {
      carried.late();
    }
    asked.ledger().add(carried);
  }

  /** Opens a stream of ping_pong, on which each message is a call. Its metadata is that of the first call. */
  @Override
  public Opening<byte[]> open() throws CallException {
    long opened = nextCall();
    return new Opening<>(metadata(opened), new Messages<byte[]>() {
      private int next;

      @Override
      public byte[] next(Message message) throws CallException {
        int i = next++;
        return message(i == 0 ? opened : nextCall(), i);
      }
    });
  }

  @Override
  public int length(byte[] message) {
    return message.length;
  }
}
