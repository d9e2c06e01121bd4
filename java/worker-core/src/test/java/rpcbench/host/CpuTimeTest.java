package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuTimeTest {
  private static final long MS = 1_000_000;

  @TempDir private Path threads;
  private Proc.Cpu ticks;

  private void thread(String id, long ns) throws IOException {
    Files.createDirectories(threads.resolve(id));
    Files.writeString(threads.resolve(id).resolve("schedstat"), ns + " 17 3\n");
  }

  private void end(String id) throws IOException {
    Files.delete(threads.resolve(id).resolve("schedstat"));
    Files.delete(threads.resolve(id));
  }

  private void ticks(long userMs, long systemMs) {
    ticks = new Proc.Cpu(userMs * MS, systemMs * MS);
  }

  private static long total(Proc.Cpu cpu) {
    return cpu.userNs() + cpu.systemNs();
  }

  @Test
  void betweenTicksThreadsTell() throws IOException {
    CpuTime time = new CpuTime(threads, () -> ticks);
    thread("1", 23 * MS);
    thread("2", 12 * MS);
    ticks(20, 10);
    assertEquals(35 * MS, total(time.read()));
    thread("1", 24 * MS);
    assertEquals(36 * MS, total(time.read()));
    end("2");
    assertEquals(36 * MS, total(time.read()), "a thread that ended keeps what it had");
    thread("2", 2 * MS);
    assertEquals(38 * MS, total(time.read()), "its number is another thread's now");
  }

  @Test
  void whatNobodySawTheTicksHave() throws IOException {
    CpuTime time = new CpuTime(threads, () -> ticks);
    thread("1", 5 * MS);
    ticks(40, 10);
    assertEquals(50 * MS, total(time.read()), "threads ended before");
    thread("1", 8 * MS);
    assertEquals(53 * MS, total(time.read()));
    thread("1", 80 * MS);
    ticks(50, 10);
    assertEquals(80 * MS, total(time.read()), "two ticks more than the ticks at the most");
  }

  @Test
  void bothPartsGrowOnly() throws IOException {
    CpuTime time = new CpuTime(threads, () -> ticks);
    thread("1", 30 * MS);
    ticks(10, 10);
    assertEquals(new Proc.Cpu(15 * MS, 15 * MS), time.read());
    thread("1", 31 * MS);
    ticks(20, 10);
    assertEquals(new Proc.Cpu(16 * MS, 15 * MS), time.read(), "a third would be less than before");
    thread("1", 29 * MS);
    assertEquals(31 * MS + 29 * MS - 10 * MS, total(time.read()), "cut off at two ticks more");
  }

  @Test
  void inBriefItGrowsByTicksAndReadsNoThread() throws IOException {
    CpuTime time = new CpuTime(threads, () -> ticks);
    ticks(20, 10);
    assertEquals(30 * MS, total(time.readTicks()), "before any look at threads");
    thread("1", 35 * MS);
    assertEquals(35 * MS, total(time.read()));
    thread("1", 44 * MS);
    assertEquals(35 * MS, total(time.readTicks()));
    ticks(30, 10);
    assertEquals(45 * MS, total(time.readTicks()));
    assertEquals(45 * MS, total(time.read()), "the 44 ms of the thread would be less");
    ticks = null;
    assertNull(time.readTicks());
  }

  @Test
  void withoutSchedstatThereAreTicks() throws IOException {
    CpuTime time = new CpuTime(threads, () -> ticks);
    Files.createDirectory(threads.resolve("1"));
    ticks(30, 20);
    assertEquals(ticks, time.read());
    ticks = null;
    assertNull(time.read());
    assertNull(new CpuTime(threads.resolve("none"), () -> null).read());
  }

  /** Holds on this machine, whatever else runs on it, because CPU time is compared and no clock. */
  @Test
  void itIsFinerThanATick() {
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/thread-self/schedstat")));
    long minNs = Long.MAX_VALUE;
    long until = Host.threadCpuNs() + 20_000 * MS;
    for (long before = used(); minNs >= Proc.TICK_NS; ) {
      assertTrue(Host.threadCpuNs() < until, "the smallest step is " + minNs + " ns");
      long after = used();
      if (after > before) {
        minNs = Math.min(minNs, after - before);
      }
      before = after;
    }
  }

  private static long used() {
    Usage usage = Host.self();
    return usage.cpuUserNs().getAsLong() + usage.cpuSystemNs().getAsLong();
  }
}
