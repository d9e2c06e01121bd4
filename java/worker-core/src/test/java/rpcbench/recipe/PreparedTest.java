package rpcbench.recipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.worker.v1.Worker.Encoding;
import rpcbench.worker.v1.Worker.Function;
import rpcbench.worker.v1.Worker.Part;
import rpcbench.worker.v1.Worker.Prepared.Builder;
import rpcbench.worker.v1.Worker.PreparedMessage;
import rpcbench.worker.v1.Worker.PreparedMetadatum;
import rpcbench.worker.v1.Worker.PreparedRequest;
import rpcbench.worker.v1.Worker.Recipe;

class PreparedTest {
  private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.000007008Z");

  /** The fixture is in internal/worker/control, whose prepared_test.go describes it. */
  @Test
  void whatIsSentIsWhatGoSends() throws Exception {
    int messages = 0;
    int entries = 0;
    int samples = 0;
    for (String line : Files.readAllLines(Path.of("../../internal/worker/control/testdata/prepared.csv"))) {
      String[] columns = line.split(",", -1);
      long seed = Long.parseUnsignedLong(columns[1]);
      long call = Long.parseUnsignedLong(columns[2]);
      int number = Integer.parseInt(columns[3]);
      byte[] made = Base64.getDecoder().decode(columns[4]);
      Recipe.Builder recipe = Recipe.newBuilder().setSeed(seed).setUuidSeed(Long.parseUnsignedLong(columns[6]));
      Builder prepared = recipe.getPreparedBuilder();
      switch (columns[0]) {
        case "message" -> {
          messages++;
          prepared.addRequests(PreparedRequest.newBuilder().addMessages(PreparedMessage.parseFrom(made)));
          assertArrayEquals(wanted(columns), requests(recipe).message(call, number), line);
        }
        case "metadata" -> {
          entries++;
          while (prepared.getMetadataCount() <= number) { // an entry's place matters
            prepared.addMetadata(PreparedMetadatum.parseFrom(made));
          }
          assertArrayEquals(wanted(columns), Prepared.metadata(recipe.build(), () -> NOW).get(number).value(call), line);
        }
        default -> {
          samples++;
          for (int i = 0; i < number; i++) {
            prepared.addRequests(PreparedRequest.getDefaultInstance());
          }
          assertEquals(Integer.parseInt(columns[5]), requests(recipe.setSample(true)).pick(call), line);
        }
      }
    }
    assertEquals(List.of(156, 104, 20), List.of(messages, entries, samples));
  }

  private static byte[] wanted(String[] columns) {
    return Base64.getDecoder().decode(columns[5]);
  }

  private static Prepared requests(Recipe.Builder recipe) {
    return Prepared.requests(recipe.build(), () -> NOW);
  }

  private static Recipe.Builder of(Part.Builder part) {
    Recipe.Builder recipe = Recipe.newBuilder();
    recipe.getPreparedBuilder().addRequestsBuilder().addMessagesBuilder().addParts(part);
    return recipe;
  }

  private static Part.Builder part(String name, long... numbers) {
    Function.Builder f = Function.newBuilder().setName(name);
    for (long n : numbers) {
      f.addNumbers(n);
    }
    return Part.newBuilder().setFunction(f);
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp, 2026-02-03T04:05:06.000007008Z", "timestamp_s, 1770091506", "timestamp_ms, 1770091506000",
    "timestamp_ns, 1770091506000007008"
  })
  void timeIsTheClocks(String name, String want) throws Exception {
    byte[] sent = requests(of(part(name))).message(3, 0);
    assertEquals(want, new String(sent, StandardCharsets.UTF_8));
  }

  /** All values of a message have the same time, as have those of the next message. */
  @Test
  void aMessageReadsTheClockOnce() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Recipe.Builder recipe = of(part("timestamp_s"));
    recipe.getPreparedBuilder().getRequestsBuilder(0).getMessagesBuilder(0).addParts(part("timestamp_s"));
    recipe.getPreparedBuilder().addMetadataBuilder().setName("at").addParts(part("timestamp_s"));
    Supplier<Instant> clock = () -> Instant.ofEpochSecond(reads.incrementAndGet());
    Prepared made = Prepared.requests(recipe.build(), clock);
    List<String> sent = new ArrayList<>();
    for (int call = 0; call < 2; call++) {
      sent.add(new String(made.message(call, 0), StandardCharsets.UTF_8));
    }
    sent.add(new String(Prepared.metadata(recipe.build(), clock).get(0).value(2), StandardCharsets.UTF_8));
    assertEquals(List.of("11", "22", "3"), sent);
  }

  /** 64 bits of nanoseconds end in 2262. */
  @Test
  void nanosecondsWrapAsInGo() throws Exception {
    Instant far = Instant.parse("2500-01-01T00:00:00Z");
    Prepared made = Prepared.requests(of(part("timestamp_ns")).build(), () -> far);
    assertEquals("-1721518473709551616", new String(made.message(0, 0), StandardCharsets.UTF_8));
  }

  @Test
  void requestsAreTakenInTurn() throws Exception {
    Recipe.Builder recipe = Recipe.newBuilder();
    for (String text : List.of("a", "b", "c")) {
      recipe.getPreparedBuilder().addRequestsBuilder().addMessagesBuilder()
          .addParts(Part.newBuilder().setReady(ByteString.copyFromUtf8(text)));
    }
    Prepared made = requests(recipe);
    List<String> sent = new ArrayList<>();
    for (long call : new long[] {0, 1, 2, 3, -1}) { // the last is 2^64-1, divisible by three
      sent.add(new String(made.message(call, 0), StandardCharsets.UTF_8));
    }
    assertEquals(List.of("a", "b", "c", "a", "a"), sent);
  }

  @Test
  void aNumberBeyondItsFieldIsNotSent() {
    Part.Builder part =
        part("sequence", 5, 1).setEncoding(Encoding.ENCODING_VARINT).setLeast(0).setMost(6);
    Prepared made = requests(of(part));
    CallException e = assertThrows(CallException.class, () -> made.message(2, 0));
    assertEquals(Code.INVALID_ARGUMENT, e.code());
    assertEquals("the request can't be made: sequence gives 7, and its field has 0 to 6", e.getMessage());
  }

  @Test
  void whatIsNoRecipeIsRefused() {
    Part.Builder deep = part("uuid");
    for (int i = 0; i < 300; i++) {
      deep = Part.newBuilder().addBelow(deep);
    }
    for (Recipe.Builder bad : List.of(
        Recipe.newBuilder(), of(part("nothing")), of(part("sequence", 1)), of(part("random", 2, 1)), of(part("choose")), of(part("column")),
        of(part("random_text", -1)), of(part("uuid").setEncodingValue(77)), of(deep),
        of(part("uuid").setEncoding(Encoding.ENCODING_VARINT)), of(part("sequence", 1, 1).setEncoding(Encoding.ENCODING_BYTES)),
        of(part("timestamp").setEncoding(Encoding.ENCODING_BYTES)),
        of(part("random_bytes", 3).setEncoding(Encoding.ENCODING_FIXED64)))) {
      assertThrows(IllegalArgumentException.class, () -> requests(bad), bad.toString());
    }
  }

  @Test
  void anUpperHalfIsOfTheWholeProduct() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long a = random.nextLong();
      long b = i % 2 == 0 ? random.nextLong() : random.nextInt(100);
      BigInteger product = unsigned(a).multiply(unsigned(b));
      assertEquals(product.shiftRight(64).longValue(), Draw.upperHalf(a, b));
    }
  }

  private static BigInteger unsigned(long v) {
    return new BigInteger(Long.toUnsignedString(v));
  }
}
