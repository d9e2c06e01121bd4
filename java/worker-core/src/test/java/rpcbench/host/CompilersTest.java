package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CompilersTest {
  @Test
  void whatEndedThreadsHadStays() {
    Iterator<Map<String, Long>> told =
        List.of(
                Map.of("C2 CompilerThread0", 50L, "C1 CompilerThread0", 7L, "GC Thread#0", 1000L),
                Map.of("C2 CompilerThread0", 60L, "C2 CompilerThread1", 3L, "C1 CompilerThread0", 7L),
                Map.of("C2 CompilerThread0", 61L, "C1 CompilerThread0", 8L), // another C2 has ended
                Map.of("C2 CompilerThread0", 5L, "JVMCI CompilerThread0", 2L), // includes C1; a second C2 started from 0
                Map.<String, Long>of())
            .iterator();
    Compilers compilers = new Compilers(told::next);
    assertEquals(OptionalLong.of(57), compilers.cpuNs());
    assertEquals(OptionalLong.of(70), compilers.cpuNs());
    assertEquals(OptionalLong.of(3 + 69), compilers.cpuNs());
    assertEquals(OptionalLong.of(3 + 69 + 7), compilers.cpuNs());
    assertEquals(OptionalLong.of(3 + 69 + 7), compilers.cpuNs());
  }

  @Test
  void whatNobodyTellsIsAbsent() {
    assertEquals(OptionalLong.empty(), new Compilers(Map::of).cpuNs());
    assertEquals(OptionalLong.empty(), new Compilers(() -> Map.of("GC Thread#0", 1000L)).cpuNs());
  }

  /** Whichever machine this is: a method that is called often enough is compiled, and that takes time. */
  @Test
  void compilingIsSeen() {
    Usage before = Host.self();
    long until = Host.threadCpuNs() + 20_000_000_000L;
    long sum = 0;
    Usage after = before;
    while (after.compilations().getAsLong() == before.compilations().getAsLong()
        || after.compilerCpuNs().getAsLong() == before.compilerCpuNs().getAsLong()) {
      assertTrue(Host.threadCpuNs() < until, "nothing is compiled");
      for (int i = 0; i < 1_000_000; i++) {
        sum += mix(i);
      }
      after = Host.self();
    }
    assertTrue(sum != 0, "the loop has a result");
    assertTrue(after.compilerCpuNs().getAsLong() > before.compilerCpuNs().getAsLong(), "compilers take time");
  }

  private static long mix(long n) {
    long z = n * 0x9E3779B97F4A7C15L;
    return z ^ (z >>> 29);
  }
}
