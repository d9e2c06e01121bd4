package rpcbench.stack;

import java.util.Locale;

/** The times of messages within a call. */
public enum MessageTime {
  /** From when a call was sent to its first reply: of download and stream. */
  FIRST_REPLY,
  /** From one reply to the next: of download. */
  REPLY_GAP,
  /** From when a message was due, or without a rate sent, to the reply of the same number: of stream. */
  MESSAGE,
  /** From when a message was due until it was sent: of upload and stream with a rate. */
  MESSAGE_LAG;

  /** The name of its histogram. */
  public String histogram() {
    return name().toLowerCase(Locale.ROOT);
  }
}
