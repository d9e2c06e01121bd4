package rpcbench.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAccumulator;

/** Reads what Linux reports about this process in /proc; see proc(5). */
final class Proc {
  /** A tick of /proc/self/stat: USER_HZ is 100 on every processor that Linux runs on today. */
  static final long TICK_NS = 10_000_000;

  private static final int USER = 14; // fields of /proc/self/stat, counted from 1
  private static final int SYSTEM = 15;

  private static final LongAccumulator PEAK = new LongAccumulator(Math::max, 0);

  private Proc() {}

  record Cpu(long userNs, long systemNs) {}

  /**
   * Returns the CPU time of all threads, including ended ones, in steps of 10 ms; null if unknown. The JDK's
   * OperatingSystemMXBean.getProcessCpuTime is no finer, because it calls times(2), which counts the same ticks, and does not
   * separate user from system time.
   */
  static Cpu cpu() {
    return cpuOf(read(Paths.get("/proc/self/stat")));
  }

  static Cpu cpuOf(String stat) {
    int name = stat.lastIndexOf(')'); // the second field is the program's name, which may hold anything
    String[] fields = stat.substring(name + 1).trim().split(" ");
    if (name < 0 || fields.length <= SYSTEM - 3) {
      return null;
    }
    OptionalLong user = number(fields[USER - 3]);
    OptionalLong system = number(fields[SYSTEM - 3]);
    if (!user.isPresent() || !system.isPresent()) {
      return null;
    }
    return new Cpu(user.getAsLong() * TICK_NS, system.getAsLong() * TICK_NS);
  }

  /** Returns VmHWM, the maximum resident set of the program since exec. It never falls: see highest. */
  static OptionalLong peakMemoryBytes() {
    return highest(PEAK, peakOf(read(Paths.get("/proc/self/status"))));
  }

  /**
   * Returns the highest of several readings. The kernel's own may fall: if the present memory is above the recorded peak, it
   * reports that and records it later (task_mem in fs/proc/task_mmu.c).
   */
  static OptionalLong highest(LongAccumulator peak, OptionalLong reading) {
    if (!reading.isPresent()) {
      return reading;
    }
    peak.accumulate(reading.getAsLong());
    return OptionalLong.of(peak.get());
  }

  static OptionalLong peakOf(String status) {
    OptionalLong kilobytes = field(status, "VmHWM");
    return kilobytes.isPresent() ? OptionalLong.of(kilobytes.getAsLong() * 1024) : kilobytes;
  }

  /** Returns the number in a status file's line "NAME: NUMBER", or "NAME: NUMBER kB". */
  static OptionalLong field(String status, String name) {
    for (String line : status.split("\n")) {
      if (line.startsWith(name + ":")) {
        return number(line.substring(name.length() + 1).replace("kB", "").trim());
      }
    }
    return OptionalLong.empty();
  }

  static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // the system reports something else
    }
  }

  /** Sets the timer slack of the calling thread. If that is impossible, the slack stays as it is. */
  static void setTimerSlack(long ns) {
    try {
      Path thread = Files.readSymbolicLink(Paths.get("/proc/thread-self")).getFileName();
      Files.write(Paths.get("/proc", thread.toString(), "timerslack_ns"), Long.toString(ns).getBytes());
    } catch (IOException e) {
      return; // the system has no such setting, or refuses it
    }
  }

  /** Returns the text of a file, empty if it can't be read. */
  static String read(Path path) {
    try {
      return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // the system does not report it
    }
  }
}
