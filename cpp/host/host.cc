#include "host/host.h"

#include <malloc.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

namespace rpcbench::host {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::string read_first_line(const std::string& path) {
  const std::string text = read(path);
  return trimmed(text.substr(0, text.find('\n')));
}

std::string arch_of(const std::string& machine) {
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  return machine == "i686" ? "386" : machine;
}

int64_t ns_of(const timeval& time) { return time.tv_sec * INT64_C(1'000'000'000) + time.tv_usec * INT64_C(1000); }

// Returns the text up to a separator, and removes both from what is left.
std::string cut(std::string& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string before = text.substr(0, end);
  text.erase(0, end + 1);
  return before;
}

// Returns the folders where the groups of controllers are: none are named in version 2.
std::vector<std::string> mounts_of(const std::string& controllers) {
  const std::string root = "/sys/fs/cgroup";
  if (controllers.empty()) return {root};
  std::string left = controllers;
  while (!left.empty()) {
    if (cut(left, ',') == "cpu") return {root + '/' + controllers, root + "/cpu"};
  }
  return {};
}

// Reads a cpu.stat: version 2 counts in µs, version 1 in ns.
std::optional<int64_t> throttled_in(const std::string& file) {
  std::istringstream words(read(file));
  std::string name;
  for (int64_t value = 0; words >> name >> value;) {
    if (name == "throttled_usec" && value >= 0) return value * 1000;
    if (name == "throttled_time" && value >= 0) return value;
  }
  return std::nullopt;
}

// Returns the most of a group and those that enclose it.
std::optional<int64_t> throttled_around(const std::string& mount, const std::string& group) {
  std::optional<int64_t> most;
  auto path = std::filesystem::path('/' + group).lexically_normal();
  for (bool encloses = true; encloses; path = path.parent_path()) {
    most = std::max(most, throttled_in(mount + path.string() + "/cpu.stat"));
    encloses = path.has_relative_path();
  }
  return most;
}

}  // namespace

int processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : get_nprocs();
}

std::string read(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::string value_in(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && trimmed(line.substr(0, colon)) == name) {
      return trimmed(line.substr(colon + 1));
    }
  }
  return "";
}

std::optional<int64_t> throttled(const std::string& root) {
  std::optional<int64_t> most;
  std::istringstream lines(read(root + "/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    if (std::count(line.begin(), line.end(), ':') < 2) continue;
    cut(line, ':');  // the number of the hierarchy
    for (const std::string& mount : mounts_of(cut(line, ':'))) {
      most = std::max(most, throttled_around(root + mount, line));
    }
  }
  return most;
}

Machine Machine::describe() {
  Machine machine;
  utsname names;
  if (uname(&names) == 0) {
    machine.name = names.nodename;
    machine.kernel = names.release;
    machine.arch = arch_of(names.machine);
  }
  machine.os = "linux";
  machine.cpu = value_in(read("/proc/cpuinfo"), "model name");
  machine.memory_bytes = std::strtoll(value_in(read("/proc/meminfo"), "MemTotal").c_str(), nullptr, 10) * 1024;
  machine.governor = read_first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    constexpr auto kMax = static_cast<rlim_t>(std::numeric_limits<int64_t>::max());
    machine.open_files = static_cast<int64_t>(files.rlim_cur < kMax ? files.rlim_cur : kMax);
  }
  return machine;
}

Usage Usage::take() {
  Usage usage;
  rusage used;
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    usage.cpu_user_ns = ns_of(used.ru_utime);
    usage.cpu_system_ns = ns_of(used.ru_stime);
    usage.peak_memory_bytes = used.ru_maxrss * INT64_C(1024);
    usage.voluntary_switches = used.ru_nvcsw;
    usage.involuntary_switches = used.ru_nivcsw;
  }
  const struct mallinfo2 heap = mallinfo2();
  usage.heap_bytes = static_cast<int64_t>(heap.uordblks + heap.hblkhd);
  usage.heap_committed_bytes = static_cast<int64_t>(heap.arena + heap.hblkhd);
  usage.throttled_ns = throttled("");
  return usage;
}

}  // namespace rpcbench::host
