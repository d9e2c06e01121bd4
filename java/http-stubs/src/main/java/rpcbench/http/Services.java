package rpcbench.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntFunction;
import rpcbench.payload.Gzip;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Store;

/** The two services: they answer requests in JSON. */
public final class Services {
  private final IntFunction<byte[]> reply;
  private final ServerLimits limits;
  private final Store store; // null has none
  private final int maxBytes; // of a body

  public Services(IntFunction<byte[]> reply, ServerLimits limits, Store store) {
    this.reply = reply;
    this.limits = limits;
    this.store = store;
    this.maxBytes = limits.request(HttpJson.BODY_BYTES_MAX);
  }

  /** A service, which has a path of its own. */
  @FunctionalInterface
  public interface Service {
    /** Returns the answer's message. */
    Object answer(byte[] text) throws Refusal;
  }

  /** Returns the body of a service's answer, in the encoding of the request's body, which is null for none. */
  public byte[] answer(Service service, InputStream in, long length, String encoding) throws IOException, Refusal {
    byte[] text = Json.encode(service.answer(read(in, length, encoding)));
    return HttpJson.GZIP.equalsIgnoreCase(encoding) ? Gzip.pack(text) : text;
  }

  private byte[] read(InputStream in, long length, String encoding) throws IOException, Refusal {
    byte[] body = bounded(Body.read(in, length, maxBytes + 1));
    try {
      return bounded(Body.unpack(body, encoding, maxBytes + 1));
    } catch (IOException e) {
      throw new Refusal(400, "the body can't be read: " + e.getMessage());
    }
  }

  private byte[] bounded(byte[] body) throws Refusal {
    if (body.length > maxBytes) {
      throw new Refusal(413, "the body has more than " + maxBytes + " bytes");
    }
    return body;
  }

  /** Returns the service with a request's path and method. */
  public Service at(String path, String method) throws Refusal {
    Service service = switch (path) {
      case HttpJson.PATH -> this::unaryCall;
      case HttpJson.BATCH_PATH -> this::batch;
      default -> throw new Refusal(404, "the paths are " + HttpJson.PATH + " and " + HttpJson.BATCH_PATH);
    };
    if (!method.equals("POST")) {
      throw new Refusal(405, "the method must be POST");
    }
    return service;
  }

  private Messages.SimpleResponse unaryCall(byte[] text) throws Refusal {
    Messages.SimpleRequest asked;
    try {
      asked = Json.request(text);
    } catch (IOException e) {
      throw new Refusal(400, "the body is not a SimpleRequest: " + e.getMessage());
    }
    int size = asked.responseSize;
    check("responseSize", 0, size);
    byte[] own = Messages.bytes(asked.payload);
    return new Messages.SimpleResponse(own.length == size ? own : reply.apply(size));
  }

  /** Turns the request into the answer, in place. */
  private Batch batch(byte[] text) throws Refusal {
    if (JsonBatch.exceeds(text, limits.operations())) {
      throw new Refusal(413, "the message has more than " + limits.operations() + " operations");
    }
    Batch asked;
    try {
      asked = Json.batch(text);
    } catch (IOException e) {
      throw new Refusal(400, "the body is not a Batch: " + e.getMessage());
    }
    long bytes = asked.responseBytes;
    check("responseBytes", asked.operations.size(), bytes);
    long read = 0;
    for (Batch.Operation operation : asked.operations) {
      if (operation.access != null) {
        access(operation);
        read += operation.bytes().length;
        check("the size of the values", 0, read);
      } else if (operation.bytes().length != bytes) {
        operation.payload = reply.apply((int) bytes);
      }
    }
    asked.responseBytes = 0;
    return asked;
  }

  /** Reads or writes the store. */
  private void access(Batch.Operation operation) throws Refusal {
    if (store == null) {
      throw new Refusal(400, "this server has no store");
    }
    try {
      switch (operation.access) {
        case Batch.READ -> operation.answer(store.get(operation.key()));
        case Batch.WRITE -> {
          store.put(operation.key(), operation.bytes());
          operation.answer(null);
        }
        default -> throw new Refusal(400, "\"" + operation.access + "\" is not an access");
      }
    } catch (CallException e) {
      throw new Refusal(400, e.getMessage());
    }
  }

  private void check(String field, long operations, long bytes) throws Refusal {
    try {
      limits.checkResponse(field, operations, bytes);
    } catch (CallException e) {
      throw new Refusal(e.code() == Code.RESOURCE_EXHAUSTED ? 413 : 400, e.getMessage());
    }
  }
}
