package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnableTimeTest {
  @TempDir private Path threads;
  private Proc.Cpu cpu = new Proc.Cpu(70, 7);

  private void thread(String id, String schedstat) throws IOException {
    Files.createDirectories(threads.resolve(id));
    Files.writeString(threads.resolve(id).resolve("schedstat"), schedstat);
  }

  @Test
  void itIsTheTimeThatThreadsRanAndWaited() throws IOException {
    RunnableTime time = new RunnableTime(threads, () -> cpu);
    thread("1", "1000 200 3\n");
    thread("2", "40 5 1\n");
    assertEquals(1245, time.ns());
    thread("2", "30 1 1\n");
    assertEquals(1276, time.ns(), "another thread has the number of one that ended");
    thread("2", "30\n");
    assertEquals(1276, time.ns());
  }

  @Test
  void elsewhereItIsTheCpuTime() {
    assertEquals(77, new RunnableTime(threads.resolve("none"), () -> cpu).ns());
    assertEquals(0, new RunnableTime(threads.resolve("none"), () -> null).ns());
    long before = Host.runnableNs();
    long after = Host.runnableNs();
    assertTrue(before > 0 && after >= before, before + " then " + after);
  }
}
