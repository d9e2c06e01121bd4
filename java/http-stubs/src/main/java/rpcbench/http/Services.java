package rpcbench.http;

import java.io.IOException;
import java.util.function.IntFunction;
import rpcbench.payload.Gzip;
import rpcbench.stack.Bounds;

/** The two services: what they answer to the JSON of a request. */
public final class Services {
  private final IntFunction<byte[]> reply;

  public Services(IntFunction<byte[]> reply) {
    this.reply = reply;
  }

  /** What a path stands for. */
  @FunctionalInterface
  public interface Service {
    /** Returns the answer's message. */
    Object answer(byte[] text) throws Refusal;

    /** Returns the answer's body, in the encoding of the request's; null is none. */
    default byte[] answer(byte[] body, String encoding) throws IOException, Refusal {
      byte[] text = Json.encode(answer(unpacked(body, encoding)));
      return HttpJson.GZIP.equalsIgnoreCase(encoding) ? Gzip.pack(text) : text;
    }

    private static byte[] unpacked(byte[] body, String encoding) throws Refusal {
      try {
        return Body.unpack(body, encoding);
      } catch (IOException e) {
        throw new Refusal(400, "the body can't be read: " + e.getMessage());
      }
    }
  }

  /** Returns the service of a request's path and method. */
  public Service at(String path, String method) throws Refusal {
    Service service = switch (path) {
      case HttpJson.PATH -> this::unaryCall;
      case HttpJson.BATCH_PATH -> this::batch;
      default -> throw new Refusal(404, "there is nothing but " + HttpJson.PATH + " and " + HttpJson.BATCH_PATH);
    };
    if (!method.equals("POST")) {
      throw new Refusal(405, "the method is POST");
    }
    return service;
  }

  private Messages.SimpleResponse unaryCall(byte[] text) throws Refusal {
    Messages.SimpleRequest asked;
    try {
      asked = Json.request(text);
    } catch (IOException e) {
      throw new Refusal(400, "the body is no SimpleRequest: " + e.getMessage());
    }
    int size = asked.responseSize;
    check(Bounds.replyRefusal("responseSize", 0, size));
    byte[] own = Messages.bytes(asked.payload);
    return new Messages.SimpleResponse(own.length == size ? own : reply.apply(size));
  }

  /** Makes the answer out of the request, which nobody else uses. */
  private Batch batch(byte[] text) throws Refusal {
    Batch asked;
    try {
      asked = Json.batch(text);
    } catch (IOException e) {
      throw new Refusal(400, "the body is no Batch: " + e.getMessage());
    }
    long bytes = asked.responseBytes;
    check(Bounds.replyRefusal("responseBytes", asked.operations.size(), bytes));
    for (Batch.Operation operation : asked.operations) {
      if (operation.bytes().length != bytes) {
        operation.payload = reply.apply((int) bytes);
      }
    }
    asked.responseBytes = 0;
    return asked;
  }

  private static void check(String refusal) throws Refusal {
    if (refusal != null) {
      throw new Refusal(400, refusal);
    }
  }
}
