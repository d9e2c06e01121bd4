package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SwitchesTest {
  private static final int WAITS = 200;

  @TempDir private Path threads;

  @Test
  void theThreadsAreSummedUp() throws IOException {
    write("7", 100, 3);
    write("8", 20, 1);
    assertEquals(new Switches.Count(120, 4), new Switches(threads).total());
  }

  @Test
  void anEndedThreadKeepsWhatItHad() throws IOException {
    Switches switches = new Switches(threads);
    write("7", 100, 3);
    write("8", 20, 1);
    switches.total();
    delete("8");
    write("7", 101, 3);
    assertEquals(new Switches.Count(121, 4), switches.total());
    assertEquals(new Switches.Count(121, 4), switches.total(), "read once more");
  }

  @Test
  void aNumberThatIsUsedAgainIsAnotherThread() throws IOException {
    Switches switches = new Switches(threads);
    write("7", 100, 3);
    switches.total();
    write("7", 5, 4);
    assertEquals(new Switches.Count(105, 7), switches.total());
  }

  @Test
  void whatTheSystemDoesNotTellIsAbsent() throws IOException {
    assertNull(new Switches(threads.resolve("nowhere")).total());
    assertNull(new Switches(threads).total());
    Files.writeString(Files.createDirectory(threads.resolve("7")).resolve("status"), "Name:\tjava\n");
    assertNull(new Switches(threads).total());
  }

  /** All threads of this process count, not only the one that asks, and also when they have ended. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void whoWaitsSwitches() throws InterruptedException {
    Usage before = Host.self();
    AtomicBoolean enough = new AtomicBoolean();
    Thread waiting =
        new Thread(
            () -> {
              while (!enough.get()) {
                LockSupport.parkNanos(50_000);
              }
            });
    waiting.start();
    Usage usage = Host.self();
    while (voluntary(usage) < voluntary(before) + WAITS) {
      usage = Host.self();
    }
    enough.set(true);
    waiting.join();
    Usage after = Host.self();
    assertTrue(voluntary(after) >= voluntary(usage), "the thread has ended, and its switches have not");
    assertTrue(after.involuntarySwitches().getAsLong() >= before.involuntarySwitches().getAsLong());
  }

  private static long voluntary(Usage usage) {
    return usage.voluntarySwitches().getAsLong();
  }

  private void write(String id, long voluntary, long involuntary) throws IOException {
    String status = "Name:\tjava\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n";
    Path folder = Files.createDirectories(threads.resolve(id));
    Files.writeString(folder.resolve("status"), String.format(status, voluntary, involuntary));
  }

  private void delete(String id) throws IOException {
    Files.delete(threads.resolve(id).resolve("status"));
    Files.delete(threads.resolve(id));
  }
}
