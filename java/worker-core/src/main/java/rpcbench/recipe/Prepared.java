package rpcbench.recipe;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import rpcbench.stack.Bounds;
import rpcbench.stack.CallException;
import rpcbench.stack.Method.Metadatum;
import rpcbench.stack.Method.Requests;
import rpcbench.worker.v1.Worker.PreparedMessage;
import rpcbench.worker.v1.Worker.PreparedMetadatum;
import rpcbench.worker.v1.Worker.PreparedRequest;
import rpcbench.worker.v1.Worker.Recipe;

/**
 * The requests of a recipe's calls, as the driver has prepared them: encoded, with places for the values of functions. The
 * content of a call depends only on the seeds and its number; only timestamps differ. Safe for concurrent use.
 */
public final class Prepared implements Requests {
  private static final long METADATA_SCOPE = 1L << 40;

  private final Draw.Seeds seeds;
  private final boolean sample;
  private final Supplier<Instant> clock;
  private final List<List<Template>> requests = new ArrayList<>();

  private Prepared(Recipe recipe, Supplier<Instant> clock) {
    this.seeds = seedsOf(recipe);
    this.sample = recipe.getSample();
    this.clock = clock;
    for (PreparedRequest request : recipe.getPrepared().getRequestsList()) {
      List<Template> messages = new ArrayList<>();
      for (PreparedMessage message : request.getMessagesList()) {
        messages.add(Template.of(message.getPartsList()));
      }
      requests.add(messages);
    }
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("there is no request");
    }
  }

  /** Reads a recipe's requests, which take the time from a clock. Throws IllegalArgumentException if they are invalid. */
  public static Prepared requests(Recipe recipe, Supplier<Instant> clock) {
    return new Prepared(recipe, clock);
  }

  /** Reads a recipe's metadata. */
  public static List<Metadatum> metadata(Recipe recipe, Supplier<Instant> clock) {
    List<Metadatum> list = new ArrayList<>();
    for (PreparedMetadatum entry : recipe.getPrepared().getMetadataList()) {
      Template text = Template.of(entry.getPartsList());
      list.add(new Entry(entry.getName(), text, seedsOf(recipe), METADATA_SCOPE + list.size(), clock));
    }
    return list;
  }

  private static Draw.Seeds seedsOf(Recipe recipe) {
    return new Draw.Seeds(recipe.getSeed(), recipe.getUuidSeed());
  }

  @Override
  public int messages(long call) {
    return requests.get(pick(call)).size();
  }

  @Override
  public byte[] message(long call, int i) throws CallException {
    List<Template> messages = requests.get(pick(call));
    if (messages.isEmpty()) {
      throw CallException.invalid("the request can't be made: the stream of call " + call + " has no message " + i);
    }
    byte[] made = messages.get(i % messages.size()).in(new Draw(seeds, call, i, i, clock));
    if (made.length > Bounds.MESSAGE_BYTES_MAX) {
      throw CallException.invalid("the request has " + made.length + " bytes, " + Bounds.MESSAGE_BYTES_MAX + " at most");
    }
    return made;
  }

  /** Returns the number of a call's request. */
  int pick(long call) {
    return new Draw(seeds, call, 0, 0, clock).pick(sample, requests.size());
  }

  private record Entry(String name, Template text, Draw.Seeds seeds, long scope, Supplier<Instant> clock)
      implements Metadatum {
    @Override
    public byte[] value(long call) throws CallException {
      byte[] written = text.in(new Draw(seeds, call, 0, scope, clock));
      return name.endsWith("-bin") ? decoded(written) : written;
    }

    private byte[] decoded(byte[] written) throws CallException {
      String text = new String(written, StandardCharsets.UTF_8);
      try {
        return Base64.getDecoder().decode(unpadded(text).replace('-', '+').replace('_', '/'));
      } catch (IllegalArgumentException e) {
        throw CallException.invalid("the metadata can't be made: \"" + text + "\" is not base64, which " + name + " needs");
      }
    }

    private static String unpadded(String text) {
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) == '=') {
        end--;
      }
      return text.substring(0, end);
    }
  }
}
