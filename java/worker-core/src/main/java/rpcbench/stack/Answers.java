package rpcbench.stack;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Reads the messages A that a library makes of replies. One of BatchService holds an answer for every operation, in the
 * order in which they came; one of BenchmarkService is itself the only answer, and has no id.
 */
public interface Answers<A> {
  /** Returns the number of answers in a message. */
  int count(A message);

  /** Returns the id of answer i, 0 ≤ i &lt; count; all 64 bits count. */
  long id(A message, int i);

  /** Returns the length of the payload of answer i. */
  int length(A message, int i);

  /** Returns the payload of answer i, for reading only. */
  ByteBuffer payload(A message, int i);

  /** Reads messages of BenchmarkService. */
  static <A> Answers<A> single(ToIntFunction<A> length, Function<A, ByteBuffer> payload) {
    return new Answers<>() {
      @Override
      public int count(A message) {
        return 1;
      }

      @Override
      public long id(A message, int i) {
        return 0;
      }

      @Override
      public int length(A message, int i) {
        return length.applyAsInt(message);
      }

      @Override
      public ByteBuffer payload(A message, int i) {
        return payload.apply(message);
      }
    };
  }

  /** Reads messages of BatchService with operations of type O. */
  static <A, O> Answers<A> batch(
      Function<A, List<O>> operations, ToLongFunction<O> id, ToIntFunction<O> length, Function<O, ByteBuffer> payload) {
    return new Answers<>() {
      @Override
      public int count(A message) {
        return operations.apply(message).size();
      }

      @Override
      public long id(A message, int i) {
        return id.applyAsLong(operations.apply(message).get(i));
      }

      @Override
      public int length(A message, int i) {
        return length.applyAsInt(operations.apply(message).get(i));
      }

      @Override
      public ByteBuffer payload(A message, int i) {
        return payload.apply(operations.apply(message).get(i));
      }
    };
  }
}
