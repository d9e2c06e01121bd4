package rpcbench.stack;

/** What differs by chance between the messages of a call: {@link Sizes} or {@link Accesses}. Safe for concurrent use. */
public interface Drawn {
  /** Returns that of one of the connections, which share what was drawn and the ledger. */
  Drawn on(int connection, int connections);

  /** Counts what the calls carry. */
  Ledger ledger();

  /** Says what a slot's message has, whose number counts all that the slot has sent before. */
  Message message(Call call, int slot, long number, long firstId);

  /** Notes what a slot's message carried, and, where it is answered, its reply. */
  void count(Ledger.Entry carried, Call call, Message message, boolean answered);
}
