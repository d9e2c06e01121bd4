package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Dump;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Profile;

class EvidenceTest {
  private static Command.Builder profile(boolean end) {
    return Command.newBuilder().setProfile(Profile.newBuilder().setEnd(end));
  }

  private static Command.Builder dump(boolean heap) {
    return Command.newBuilder().setDump(Dump.newBuilder().setHeap(heap));
  }

  /** Sends a command and collects the files that come before its answer, which is the event that ends. */
  private static Map<String, ByteArrayOutputStream> files(Driver driver, Command.Builder command) throws Exception {
    Map<String, ByteArrayOutputStream> files = new TreeMap<>();
    driver.send(command);
    while (true) {
      Event event = driver.next();
      if (event.hasProfiled() || event.hasDumped()) {
        return files;
      }
      if (event.hasPiece()) {
        assertTrue(event.getPiece().getData().size() <= 1 << 20);
        String name = event.getPiece().getName();
        event.getPiece().getData().writeTo(files.computeIfAbsent(name, n -> new ByteArrayOutputStream()));
      } else if (!event.hasInterval()) {
        fail(event.toString());
      }
    }
  }

  @Test
  void aProfileIsARecordingOfItsTime(@TempDir Path folder) throws Exception {
    try (Driver driver = new Driver()) {
      Driver.assertFault("profile.end", driver.ask(profile(true)));
      assertTrue(files(driver, profile(false)).isEmpty());
      Driver.assertFault("profile", driver.ask(profile(false)));
      var files = files(driver, profile(true));
      assertEquals("[recording.jfr]", files.keySet().toString());
      Path file = folder.resolve("recording.jfr");
      Files.write(file, files.get("recording.jfr").toByteArray());
      try (RecordingFile recording = new RecordingFile(file)) {
        assertTrue(recording.hasMoreEvents());
        while (recording.hasMoreEvents()) {
          String event = recording.readEvent().getEventType().getName();
          assertFalse(Profiler.TELLTALES.contains(event), event + " may hold a secret");
        }
      }
      Driver.assertFault("profile.end", driver.ask(profile(true)));
    }
  }

  @Test
  void aDumpTellsOfEveryThreadWhileAPhaseHangs() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connect.Builder connect = Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo")));
      client.connect(connect.putOptions("reply", "never"));
      client.begin(Commands.closed(6));
      client.await(interval -> interval.getInFlight() == 6);
      var files = files(client, dump(false));
      assertEquals("[threads.txt]", files.keySet().toString());
      String threads = files.get("threads.txt").toString(StandardCharsets.UTF_8);
      assertTrue(threads.contains("\"rpcbench-phase\" #"), threads);
      assertTrue(threads.contains("at rpcbench.worker.ThreadDump.text("), threads);
      assertTrue(threads.contains("State: WAITING"), threads);
    }
  }

  @Test
  void aHeapDumpLeavesNoFileBehind() throws Exception {
    try (Driver driver = new Driver()) {
      var files = files(driver, dump(true));
      assertEquals("[heap.hprof, threads.txt]", files.keySet().toString());
      byte[] heap = files.get("heap.hprof").toByteArray();
      assertEquals("JAVA PROFILE 1.0.", new String(heap, 0, 17, StandardCharsets.US_ASCII));
      assertTrue(heap.length > 1 << 20, "several pieces, not " + heap.length + " bytes");
    }
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      String ours = "rpcbench-" + ProcessHandle.current().pid() + "-";
      assertEquals(List.of(), files.filter(file -> file.getFileName().toString().startsWith(ours)).toList());
    }
  }
}
