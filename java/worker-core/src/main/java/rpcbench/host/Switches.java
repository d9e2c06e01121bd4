package rpcbench.host;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How often the threads of this process gave up a processor. Safe for concurrent use.
 *
 * <p>Linux reports it to Java only for living threads, in /proc/self/task/ID/status; getrusage(2), which reports the whole
 * process including ended threads, has no file. To keep the sum from decreasing, an ended thread keeps its last reading. What it
 * did afterwards is lost, and so is a thread that began and ended between two readings.
 */
final class Switches {
  private final Path threads;
  private Map<String, Count> living = Map.of();
  private Count ended = new Count(0, 0);

  /** Takes the folder that has a folder for each living thread, /proc/self/task. */
  Switches(Path threads) {
    this.threads = threads;
  }

  /**
   * Of one thread or of all.
   *
   * @param voluntary because a thread had to wait
   * @param involuntary because it was sent off its processor
   */
  record Count(long voluntary, long involuntary) {
    Count plus(Count other) {
      return new Count(voluntary + other.voluntary, involuntary + other.involuntary);
    }

    boolean below(Count other) {
      return voluntary < other.voluntary || involuntary < other.involuntary;
    }
  }

  /** Returns the total of all threads so far; null if the system does not report it. */
  synchronized Count total() {
    Map<String, Count> now = read();
    if (now.isEmpty()) {
      return null;
    }
    living.forEach(
        (id, before) -> {
          Count after = now.get(id);
          if (after == null || after.below(before)) { // below: another thread has its number now
            ended = ended.plus(before);
          }
        });
    living = now;
    return now.values().stream().reduce(ended, Count::plus);
  }

  /** The living threads by their number. */
  private Map<String, Count> read() {
    Map<String, Count> counts = new HashMap<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(threads)) {
      for (Path folder : folders) {
        Count count = countOf(Proc.read(folder.resolve("status"))); // null if it has just ended
        if (count != null) {
          counts.put(folder.getFileName().toString(), count);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return Map.of(); // the system does not report it
    }
    return counts;
  }

  private static Count countOf(String status) {
    OptionalLong voluntary = Proc.field(status, "voluntary_ctxt_switches");
    OptionalLong involuntary = Proc.field(status, "nonvoluntary_ctxt_switches");
    if (!voluntary.isPresent() || !involuntary.isPresent()) {
      return null;
    }
    return new Count(voluntary.getAsLong(), involuntary.getAsLong());
  }
}
