package rpcbench.worker;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import rpcbench.host.JvmOnly;

/** Sends all that the heap holds. Its own class, because it is HotSpot's alone. */
@JvmOnly
final class HeapDump {
  private static final String FILE = "heap.hprof";

  private HeapDump() {}

  /** The machine writes a file only, which is gone afterwards. */
  static void send(Pieces pieces) throws IOException {
    HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (bean == null) {
      throw new IOException("this JVM can't write heap dumps");
    }
    Path folder = Files.createTempDirectory("rpcbench-" + ProcessHandle.current().pid() + "-");
    Path file = folder.resolve(FILE);
    try {
      bean.dumpHeap(file.toString(), false);
      try (InputStream content = Files.newInputStream(file)) {
        pieces.send(FILE, content);
      }
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }
}
