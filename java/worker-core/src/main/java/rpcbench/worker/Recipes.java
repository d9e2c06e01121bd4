package rpcbench.worker;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import rpcbench.recipe.Prepared;
import rpcbench.stack.Bounds;
import rpcbench.stack.CallException;
import rpcbench.stack.Ledger;
import rpcbench.stack.MessageClock;
import rpcbench.stack.Method;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Recipe;

/** Creates the method that a recipe's calls use. */
final class Recipes {
  /** The part of the memory that replies of any length may take: libraries hold one compressed and decompressed. */
  private static final int REPLY_PART = 4;

  /** The minimum for a slot's part of a reply, however many slots there are. */
  private static final long REPLY_SHARE_MIN = 64 << 10;

  private Recipes() {}

  static Method method(Connect c, Recipe recipe, MessageClock clock) throws FaultException {
    Ledger ledger = ledger(recipe);
    try {
      List<Method.Metadatum> metadata = new ArrayList<>(Prepared.metadata(recipe, Instant::now));
      if (!recipe.getToken().isEmpty()) {
        metadata.add(Bearer.of(recipe.getToken()));
      }
      return new Method(
          recipe.getMethod(), Prepared.requests(recipe, Instant::now), metadata, recipe.getAuthority(),
          replyBytesMax(c, Runtime.getRuntime().maxMemory()), ledger, clock);
    } catch (IllegalArgumentException e) {
      throw new FaultException("connect.call.recipe.prepared", CallException.reason(e));
    }
  }

  /** Returns what numbers the calls of this client. */
  private static Ledger ledger(Recipe recipe) throws FaultException {
    long part = Integer.toUnsignedLong(recipe.getPart());
    long parts = Math.max(1, Integer.toUnsignedLong(recipe.getParts()));
    if (part >= parts) {
      throw new FaultException("connect.call.recipe.part", "there is no part " + part + " of " + parts);
    }
    return new Ledger(part, parts);
  }

  /** Returns a slot's part of the memory for replies, which clients on one host share. */
  static int replyBytesMax(Connect c, long memory) {
    long slots = (long) c.getConnections() * c.getInFlight();
    long share = memory / REPLY_PART / Math.max(1, c.getClientsHere()) / Math.max(1, slots);
    return (int) Math.max(REPLY_SHARE_MIN, Math.min(Bounds.MESSAGE_BYTES_MAX, share));
  }

  /** RFC 6750, section 2.1. */
  private record Bearer(byte[] value) implements Method.Metadatum {
    static Bearer of(String token) {
      return new Bearer(("Bearer " + token).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String name() {
      return "authorization";
    }

    @Override
    public byte[] value(long call) {
      return value;
    }

    @Override
    public String toString() {
      return name(); // it is a secret
    }
  }
}
