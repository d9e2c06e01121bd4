package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class HostTest {
  private static final int BYTES = 64 << 20;

  @Test
  @EnabledOnOs(OS.LINUX)
  void usageGrows() {
    Usage before = Host.self();
    byte[] held = new byte[BYTES];
    long until = Host.threadCpuNs() + 50_000_000;
    for (byte b = 0; Host.threadCpuNs() < until; b++) {
      Arrays.fill(held, b);
    }
    System.gc();
    Usage after = Host.self();
    long grown = cpu(after) - cpu(before); // user and system are each cut off to a tick of 10 ms
    assertTrue(grown >= 30_000_000, grown + " ns of CPU");
    assertTrue(after.peakMemoryBytes().getAsLong() >= BYTES, "peak " + after.peakMemoryBytes());
    assertTrue(after.gcCycles().getAsLong() > before.gcCycles().getAsLong(), "cycles " + after.gcCycles());
    assertTrue(after.gcPauseNs().getAsLong() >= before.gcPauseNs().getAsLong(), "pauses " + after.gcPauseNs());
    assertTrue(after.safepoints().getAsLong() > before.safepoints().getAsLong(), "safepoints " + after.safepoints());
    assertTrue(after.safepointSyncNs().getAsLong() >= before.safepointSyncNs().getAsLong(), "sync " + after.safepointSyncNs());
    assertTrue(after.heapBytes().getAsLong() >= BYTES, "heap " + after.heapBytes());
    assertTrue(after.heapCommittedBytes().getAsLong() >= after.heapBytes().getAsLong(), "committed");
    assertEquals((byte) 0, (byte) (held[0] - held[BYTES - 1]));
  }

  /** Other threads wait as they did. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void timerSlackIsTheThreadsOwn() throws Exception {
    String before = slack("self");
    CompletableFuture<String> lowered = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              Host.lowerTimerSlack();
              lowered.complete(slack(thread()));
            });
    thread.start();
    if (before.isEmpty()) {
      return; // this system has no such setting
    }
    assertEquals("1000", lowered.get());
    assertEquals(before, slack("self"));
  }

  private static String thread() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    } catch (IOException e) {
      return ""; // then there is no slack either
    }
  }

  private static String slack(String thread) {
    return Proc.read(Path.of("/proc", thread, "timerslack_ns")).trim();
  }

  /** Counts what ended threads allocated; some JDKs do not report it at all. */
  @Test
  void whatIsAllocatedGrowsWhateverThreadsEnd() throws InterruptedException {
    OptionalLong before = Host.self().allocatedBytes();
    byte[][] held = new byte[1][];
    Thread thread = new Thread(() -> held[0] = new byte[BYTES]);
    thread.start();
    thread.join();
    OptionalLong after = Host.self().allocatedBytes();
    assertEquals(before.isPresent(), after.isPresent(), "it is there always or never");
    long grown = after.orElse(BYTES) - before.orElse(0);
    assertTrue(grown >= held[0].length && grown < 2L * held[0].length, grown + " bytes for " + held[0].length);
  }

  /** A runtime may lack com.sun.management, which is a separate module. Then only its figures are absent. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void withoutTheBeansOfComSunTheOthersTell() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    Process lean =
        new ProcessBuilder(java, "--limit-modules", "java.management", "-cp", classes, Lean.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(lean.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("allocated false, collections true, CPU true", said.trim());
    assertEquals(0, lean.waitFor());
  }

  /** A program that prints what it knows about itself. */
  static final class Lean {
    private Lean() {}

    public static void main(String[] arguments) {
      Usage usage = Host.self();
      System.out.printf(
          "allocated %b, collections %b, CPU %b%n",
          usage.allocatedBytes().isPresent(), usage.gcCycles().isPresent(), Host.threadCpuNs() > 0);
    }
  }

  private static long cpu(Usage usage) {
    return usage.cpuUserNs().getAsLong() + usage.cpuSystemNs().getAsLong();
  }

  @Test
  void theCpuIsThatOfTheFieldsWhateverTheProgramsName() {
    String stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 100 0 0 0 123 45 6 7 20 0 3 0 100 200 300";
    assertEquals(new Proc.Cpu(1_230_000_000, 450_000_000), Proc.cpuOf(stat));
    assertNull(Proc.cpuOf(""));
    assertNull(Proc.cpuOf("7 (a) S 1 2"));
    assertNull(Proc.cpuOf(stat.replace(" 45 ", " x ")));
  }

  @Test
  void thePeakIsInKilobytes() {
    assertEquals(OptionalLong.of(20_480_000), Proc.peakOf("Name:\tjava\nVmHWM:\t   20000 kB\nVmRSS:\t 1 kB\n"));
    assertEquals(OptionalLong.empty(), Proc.peakOf("Name:\tjava\n"));
  }

  /** The kernel's reading may fall by what it has not recorded yet. */
  @Test
  void aPeakNeverFalls() {
    LongAccumulator peak = new LongAccumulator(Math::max, 0);
    assertEquals(OptionalLong.of(21_647_360), Proc.highest(peak, OptionalLong.of(21_647_360)));
    assertEquals(OptionalLong.of(21_647_360), Proc.highest(peak, OptionalLong.of(21_381_120)));
    assertEquals(OptionalLong.of(30_000_000), Proc.highest(peak, OptionalLong.of(30_000_000)));
    assertEquals(OptionalLong.empty(), Proc.highest(peak, OptionalLong.empty()));
  }

  /** A collector with a bean for cycles and one for pauses is counted once. */
  @Test
  void collectorsAreSummedUp() {
    List<GarbageCollectorMXBean> both =
        List.of(collector("ZGC Cycles", 3, 900), collector("ZGC Pauses", 9, 1), collector("Unknown", -1, -1));
    assertEquals(OptionalLong.of(3), Beans.sum(both, " Pauses", GarbageCollectorMXBean::getCollectionCount));
    assertEquals(OptionalLong.of(1), Beans.sum(both, " Cycles", GarbageCollectorMXBean::getCollectionTime));
    assertEquals(OptionalLong.empty(), Beans.sum(List.of(), "", GarbageCollectorMXBean::getCollectionTime));
  }

  private static GarbageCollectorMXBean collector(String name, long count, long timeMs) {
    return (GarbageCollectorMXBean)
        Proxy.newProxyInstance(
            HostTest.class.getClassLoader(),
            new Class<?>[] {GarbageCollectorMXBean.class},
            (bean, method, arguments) ->
                switch (method.getName()) {
                  case "getName" -> name;
                  case "getCollectionCount" -> count;
                  case "getCollectionTime" -> timeMs;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
