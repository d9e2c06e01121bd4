package rpcbench.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.OptionalLong;

/** The machine, as far as measurements depend on it. What the system does not report is empty or 0. */
public record Machine(
    String name, String os, String arch, String kernel, String cpu, long memoryBytes, String governor, long openFiles) {

  /** Reads the machine's description. Systems and architectures have the names that Go has for them. */
  public static Machine describe() {
    return new Machine(
        hostname(),
        osOf(System.getProperty("os.name", "")),
        archOf(System.getProperty("os.arch", "")),
        first("/proc/sys/kernel/osrelease"),
        cpuOf(Proc.read(Paths.get("/proc/cpuinfo"))),
        kilobytes(Proc.field(Proc.read(Paths.get("/proc/meminfo")), "MemTotal")),
        first("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        openFilesOf(Proc.read(Paths.get("/proc/self/limits"))));
  }

  private static String hostname() {
    String name = first("/proc/sys/kernel/hostname");
    if (!name.isEmpty()) {
      return name;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return ""; // nameless machines have results too
    }
  }

  static String osOf(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith("windows")) {
      return "windows";
    }
    return lower.startsWith("mac") ? "darwin" : lower;
  }

  static String archOf(String name) {
    return switch (name) {
      case "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      case "i386", "x86" -> "386";
      default -> name;
    };
  }

  /** The value of the first line "model name : …". */
  static String cpuOf(String cpuinfo) {
    for (String line : cpuinfo.split("\n")) {
      int colon = line.indexOf(':');
      if (colon >= 0 && line.substring(0, colon).trim().equals("model name")) {
        return line.substring(colon + 1).trim();
      }
    }
    return "";
  }

  /** The soft limit in the line "Max open files  SOFT  HARD  files"; without one it is the largest number. */
  static long openFilesOf(String limits) {
    for (String line : limits.split("\n")) {
      if (line.startsWith("Max open files")) {
        String soft = line.substring("Max open files".length()).trim().split("\\s+")[0];
        try {
          return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
        } catch (NumberFormatException e) {
          return 0; // the system reports something else
        }
      }
    }
    return 0;
  }

  private static long kilobytes(OptionalLong n) {
    return n.isPresent() ? n.getAsLong() * 1024 : 0;
  }

  private static String first(String path) {
    byte[] latin = Proc.read(Paths.get(path)).getBytes(StandardCharsets.ISO_8859_1);
    return new String(latin, StandardCharsets.UTF_8).split("\n", 2)[0].trim();
  }
}
