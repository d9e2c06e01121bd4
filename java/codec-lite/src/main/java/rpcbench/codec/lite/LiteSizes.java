package rpcbench.codec.lite;

import com.google.protobuf.GeneratedMessageLite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/** Resets the encoded sizes that lite messages remember. A reset costs one store per message, as for other protobuf messages. */
final class LiteSizes {
  /**
   * The value of an immutable message's {@code memoizedSerializedSize} before it is computed. Its highest bit would mean that the
   * message is still being built.
   */
  private static final int UNKNOWN = Integer.MAX_VALUE;

  private static final VarHandle MEMOIZED = memoized();

  private final GeneratedMessageLite<?, ?>[] messages;

  LiteSizes(List<GeneratedMessageLite<?, ?>> messages) {
    this.messages = messages.toArray(GeneratedMessageLite<?, ?>[]::new);
  }

  void forget() {
    for (GeneratedMessageLite<?, ?> message : messages) {
      MEMOIZED.set(message, UNKNOWN);
    }
  }

  private static VarHandle memoized() {
    try {
      return MethodHandles.privateLookupIn(GeneratedMessageLite.class, MethodHandles.lookup())
          .findVarHandle(GeneratedMessageLite.class, "memoizedSerializedSize", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
