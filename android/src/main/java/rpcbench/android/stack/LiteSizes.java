package rpcbench.android.stack;

import com.google.protobuf.GeneratedMessageLite;
import java.lang.reflect.Field;
import java.util.List;
import sun.misc.Unsafe;

/**
 * The encoded sizes that lite messages remember. To forget takes a store a message. Android 8.0 has no VarHandle; protobuf-lite
 * itself stores by Unsafe.
 */
final class LiteSizes {
  /** What {@code memoizedSerializedSize} of an immutable message is before anybody asked. */
  private static final int UNKNOWN = Integer.MAX_VALUE;

  private static final Unsafe UNSAFE = unsafe();
  private static final long MEMOIZED = memoized();

  private final GeneratedMessageLite<?, ?>[] messages;

  LiteSizes(List<GeneratedMessageLite<?, ?>> messages) {
    this.messages = messages.toArray(new GeneratedMessageLite<?, ?>[0]);
  }

  void forget() {
    for (GeneratedMessageLite<?, ?> message : messages) {
      UNSAFE.putInt(message, MEMOIZED, UNKNOWN);
    }
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long memoized() {
    try {
      return UNSAFE.objectFieldOffset(GeneratedMessageLite.class.getDeclaredField("memoizedSerializedSize"));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
