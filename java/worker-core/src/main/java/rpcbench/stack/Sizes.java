package rpcbench.stack;

import java.util.List;
import rpcbench.payload.Words;

/** Random payload lengths, as described by Go's {@code stack.Sizes}; internal/stack/testdata/sizes.csv pins examples. */
public final class Sizes implements Drawn {
  private static final int DRAWS = 1 << 16;
  private static final long STRIDE = 40503;

  /** Lengths from least to most, equally likely; of several one is drawn in proportion to weight, which has no sign. */
  public record Bin(int least, int most, long weight) {}

  private final int[] requests;
  private final int[] replies;
  private final int connection;
  private final int connections;
  private final Ledger ledger;

  private Sizes(int[] requests, int[] replies, int connection, int connections, Ledger ledger) {
    this.requests = requests;
    this.replies = replies;
    this.connection = connection;
    this.connections = connections;
    this.ledger = ledger;
  }

  /**
   * Draws lengths. Without bins for requests all have requestBytes; without bins for replies each is as long as its request.
   */
  public static Sizes of(long seed, List<Bin> requests, int requestBytes, List<Bin> replies) {
    List<Bin> sent = requests.isEmpty() ? List.of(new Bin(requestBytes, requestBytes, 1)) : requests;
    int[] out = new int[DRAWS];
    int[] in = new int[DRAWS];
    for (int j = 0; j < DRAWS; j++) {
      long at = 4L * j;
      out[j] = draw(sent, Words.word(seed, at), Words.word(seed, at + 1));
      in[j] = replies.isEmpty() ? out[j] : draw(replies, Words.word(seed, at + 2), Words.word(seed, at + 3));
    }
    return new Sizes(out, in, 0, 1, new Ledger());
  }

  private static int draw(List<Bin> bins, long choice, long within) {
    long sum = 0;
    for (Bin bin : bins) {
      sum += bin.weight;
    }
    long at = Words.below(choice, sum);
    for (Bin bin : bins) {
      if (Long.compareUnsigned(at, bin.weight) < 0) {
        return bin.least + (int) Words.below(within, (long) bin.most - bin.least + 1);
      }
      at -= bin.weight;
    }
    throw new IllegalStateException("a draw is beyond all bins");
  }

  @Override
  public Sizes on(int one, int of) {
    return new Sizes(requests, replies, one, of, ledger);
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Message message(Call call, int slot, long number, long firstId) {
    long first = STRIDE * ((long) slot * connections + connection);
    int at = (int) ((first + number) & (DRAWS - 1));
    return new Message(firstId, requests[at], replies[at], null, slot);
  }

  @Override
  public void count(Ledger.Entry carried, Call call, Message message, boolean answered) {
    carried.sent(message.requestBytes());
    if (answered) {
      carried.received(message.responseBytes());
    }
  }
}
