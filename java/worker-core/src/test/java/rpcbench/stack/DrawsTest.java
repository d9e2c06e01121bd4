package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares random draws with the examples that workers in all languages share. */
class DrawsTest {
  private static final Path FIXTURES = Path.of("../../internal/stack/testdata");

  /** The number of ids of a slot: those of slot s begin at s·2^40. */
  private static final long SLOT_IDS = 1L << 40;

  private static List<String[]> lines(String name) throws IOException {
    List<String[]> lines = new ArrayList<>();
    for (String line : Files.readAllLines(FIXTURES.resolve(name))) {
      lines.add(line.split(",", -1));
    }
    assertFalse(lines.isEmpty());
    return lines;
  }

  private static List<Sizes.Bin> bins(String text) {
    List<Sizes.Bin> bins = new ArrayList<>();
    for (String bin : text.isEmpty() ? new String[0] : text.split(" ")) {
      String[] parts = bin.split("[-*]");
      bins.add(
          new Sizes.Bin(
              Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Long.parseUnsignedLong(parts[2])));
    }
    return bins;
  }

  @Test
  void sizesArePinned() throws IOException {
    Map<String, Sizes> made = new HashMap<>();
    for (String[] l : lines("sizes.csv")) {
      Sizes sizes =
          made.computeIfAbsent(
              l[0] + l[4] + "," + l[5], key -> Sizes.of(Long.parseUnsignedLong(l[0]), bins(l[4]), 100, bins(l[5])));
      Message message =
          sizes
              .on(Integer.parseInt(l[2]), Integer.parseInt(l[3]))
              .message(null, Integer.parseInt(l[1]), Long.parseLong(l[6]), 0);
      assertEquals(l[7] + " " + l[8], message.requestBytes() + " " + message.responseBytes(), String.join(",", l));
    }
  }

  @Test
  void callsOfAMixArePinned() throws IOException {
    for (String[] l : lines("weights.csv")) {
      List<Long> weights = new ArrayList<>();
      for (String weight : l[1].split(" ")) {
        weights.add(Long.parseUnsignedLong(weight));
      }
      assertEquals(null, Weights.fault(weights));
      int drawn = Weights.of(Long.parseUnsignedLong(l[0]), weights).draw(Long.parseUnsignedLong(l[2]));
      assertEquals(Integer.parseInt(l[3]), drawn, String.join(",", l));
    }
  }

  @Test
  void weightsThatNoMixCanHaveAreRefused() {
    assertEquals("a mix has at least one call", Weights.fault(List.of()));
    assertEquals("a call has no weight", Weights.fault(List.of(1L, 0L)));
    assertEquals("the weights add up to more than 64 bits", Weights.fault(List.of(-1L, 1L)));
    assertEquals("a mix has at most 64 calls, not 65", Weights.fault(Collections.nCopies(65, 1L)));
  }

  @Test
  void accessesArePinned() throws IOException {
    Map<String, Accesses> made = new HashMap<>();
    for (String[] l : lines("accesses.csv")) {
      Accesses accesses =
          made.computeIfAbsent(
              String.join(",", l[0], l[4], l[5], l[6]),
              key -> {
                var mix =
                    new Accesses.Mix(
                        Long.parseLong(l[4]), Long.parseLong(l[5]), Double.parseDouble(l[6]), Double.parseDouble(l[7]));
                return Accesses.of(Long.parseUnsignedLong(l[0]), mix);
              });
      int slot = Integer.parseInt(l[1]);
      Accesses on = accesses.on(Integer.parseInt(l[2]), Integer.parseInt(l[3]));
      Message message = new Message(slot * SLOT_IDS + Long.parseLong(l[8]), 8, 8, on, slot);
      assertEquals(
          l[9] + " " + l[10],
          Long.toUnsignedString(on.key(message, 0)) + (on.writes(message, 0) ? " write" : " read"),
          String.join(",", l));
    }
  }

  @Test
  void aStoreHasTheRecordsThatItBeganWith() throws CallException {
    Store store = new Store(10, new byte[20]);
    byte[] value = Accesses.value(new byte[20], Accesses.key(7));
    assertEquals(20, store.get(Accesses.key(7)).length);
    value[19] = 1;
    store.put(Accesses.key(7), value);
    assertEquals(1, store.get(Accesses.key(7))[19]);
    assertEquals(Code.NOT_FOUND, code(() -> store.get(Accesses.key(10))));
    assertEquals(Code.NOT_FOUND, code(() -> store.put(Accesses.key(10), value)));
    assertEquals(Code.INVALID_ARGUMENT, code(() -> store.put(Accesses.key(7), new byte[19])));
  }

  private static Code code(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(CallException.class, call).code();
  }
}
