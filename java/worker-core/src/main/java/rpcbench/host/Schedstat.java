package rpcbench.host;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Reads what Linux's scheduler reports about the living threads of a process, in /proc/ID/task/ID/schedstat. */
final class Schedstat {
  private Schedstat() {}

  /** Returns how long each thread has run, in ns, by its number; empty if the system does not report it. */
  static Map<String, Long> ranNs(Path threads) {
    return read(threads, 1);
  }

  /** Returns the same with the time that each thread waited for a processor. */
  static Map<String, Long> runnableNs(Path threads) {
    return read(threads, 2);
  }

  /** Adds up the first fields of each thread's line: the time that it ran, and that it waited. */
  private static Map<String, Long> read(Path threads, int fields) {
    Map<String, Long> times = new HashMap<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(threads)) {
      for (Path folder : folders) {
        sum(Proc.read(folder.resolve("schedstat")).split(" "), fields)
            .ifPresent(ns -> times.put(folder.getFileName().toString(), ns));
      }
    } catch (IOException | DirectoryIteratorException e) {
      return Map.of(); // the system does not report it
    }
    return times;
  }

  private static OptionalLong sum(String[] line, int fields) {
    long ns = 0;
    for (int i = 0; i < fields; i++) {
      OptionalLong field = i < line.length ? Proc.number(line[i]) : OptionalLong.empty();
      if (!field.isPresent()) {
        return OptionalLong.empty(); // the thread has just ended
      }
      ns += field.getAsLong();
    }
    return OptionalLong.of(ns);
  }
}
