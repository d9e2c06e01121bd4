package rpcbench.http;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.stack.Message;
import rpcbench.stack.Replies;

/** Encodes one slot's requests to one of the two services, and decodes the answers, of type A. */
public final class Exchange<A> {
  private final String path;
  private final Function<Message, Object> requests;
  private final Decoder<A> decoder;
  private final Replies<A> replies;
  private final int maxBytes; // of an answer's body

  /** Reads a message. */
  @FunctionalInterface
  private interface Decoder<A> {
    A decode(byte[] text) throws IOException;
  }

  private Exchange(String path, Function<Message, Object> requests, Decoder<A> decoder, Replies<A> replies, int maxBytes) {
    this.path = path;
    this.requests = requests;
    this.decoder = decoder;
    this.replies = replies;
    this.maxBytes = maxBytes;
  }

  public static Exchange<?> of(Call call, int slot) {
    int maxBytes = HttpJson.reply(call);
    if (call.batch() > 0) {
      Replies<Batch> replies = new Replies<>(call, slot, Batch.ANSWERS);
      return new Exchange<>(HttpJson.BATCH_PATH, message -> Batch.request(call, message), Json::batch, replies, maxBytes);
    }
    Messages.SimpleRequest request = new Messages.SimpleRequest(call.responseBytes(), call.request());
    Replies<Messages.SimpleResponse> replies = new Replies<>(call, slot, Messages.ANSWERS);
    Function<Message, Object> requests = call.drawn() == null ? message -> request : message -> drawn(call, message);
    return new Exchange<>(HttpJson.PATH, requests, Json::response, replies, maxBytes);
  }

  private static Messages.SimpleRequest drawn(Call call, Message message) {
    return new Messages.SimpleRequest(
        message.responseBytes(), Arrays.copyOf(call.request(), message.requestBytes()));
  }

  public String path() {
    return path;
  }

  int maxBytes() {
    return maxBytes;
  }

  /** Begins a call and returns its request. */
  byte[] begin() throws IOException {
    replies.begin();
    return Json.encode(requests.apply(replies.message(0)));
  }

  /** Ends a call with the body of its answer. */
  void end(byte[] body) throws CallException {
    try {
      replies.add(decoder.decode(body));
    } catch (IOException e) {
      throw new CallException(Code.INTERNAL, "the reply is not the expected JSON: " + e.getMessage(), e);
    }
    replies.end();
  }

  /** Notes that the call ended after its phase's window, before {@link #verify}. */
  void late() {
    replies.late();
  }

  /** Returns null after a failed call, MISMATCH after a wrong reply. */
  CallException verify() {
    return replies.verify();
  }
}
