package rpcbench.stack;

import java.util.List;
import rpcbench.payload.Words;

/**
 * Choose which call of a mix each call is, as described by Go's {@code stack.Weights}; internal/stack/testdata/weights.csv pins
 * examples. Safe for concurrent use.
 */
public final class Weights {
  /** The most calls of a mix. */
  public static final int MIX_MAX = 64;

  private final long seed;
  private final long[] ends; // weights, added up; without a sign

  private Weights(long seed, long[] ends) {
    this.seed = seed;
    this.ends = ends;
  }

  /** Makes a choice of weights, which have no sign. {@link #fault} must find none. */
  public static Weights of(long seed, List<Long> weights) {
    long[] ends = new long[weights.size()];
    long sum = 0;
    for (int i = 0; i < ends.length; i++) {
      sum += weights.get(i);
      ends[i] = sum;
    }
    return new Weights(seed, ends);
  }

  /** Returns what is wrong with weights, or null. */
  public static String fault(List<Long> weights) {
    if (weights.isEmpty()) {
      return "a mix has at least one call";
    }
    if (weights.size() > MIX_MAX) {
      return "a mix has at most " + MIX_MAX + " calls, not " + weights.size();
    }
    long sum = 0;
    for (long weight : weights) {
      if (weight == 0) {
        return "a call has no weight";
      }
      if (Long.compareUnsigned(sum + weight, sum) < 0) {
        return "the weights add up to more than 64 bits";
      }
      sum += weight;
    }
    return null;
  }

  /** Returns which of the calls a call number is, from 0. */
  public int draw(long number) {
    long at = Words.below(Words.word(seed, number), ends[ends.length - 1]);
    int which = 0;
    while (Long.compareUnsigned(at, ends[which]) >= 0) {
      which++;
    }
    return which;
  }
}
