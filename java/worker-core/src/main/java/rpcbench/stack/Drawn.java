package rpcbench.stack;

/** The randomly drawn part of a call's messages: {@link Sizes} or {@link Accesses}. Safe for concurrent use. */
public interface Drawn {
  /** Returns the object for one of the connections, which share the draws and the ledger. */
  Drawn on(int connection, int connections);

  /** Counts what the calls carry. */
  Ledger ledger();

  /** Returns the content of a slot's message. Its number counts all messages that the slot has sent before. */
  Message message(Call call, int slot, long number, long firstId);

  /** Counts what a slot's message carried and, if it is answered, its reply. */
  void count(Ledger.Entry carried, Call call, Message message, boolean answered);
}
