package rpcbench.codec.lite;

import com.google.protobuf.GeneratedMessageLite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/** The encoded sizes that lite messages remember. To forget takes a store a message, as of other protobuf messages. */
final class LiteSizes {
  /**
   * What {@code memoizedSerializedSize} of an immutable message is before anybody asked: its highest bit would say that the
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
