// Facts about the machine and this process, from Linux; see proc(5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rpcbench::host {

// How many processors this process may run on.
int processors();

// The machine as far as measurements depend on it. What the system does not tell is empty or 0. Systems and
// architectures have the names that Go has for them.
struct Machine {
  std::string name;
  std::string os;
  std::string arch;
  std::string kernel;
  std::string cpu;
  int64_t memory_bytes = 0;
  std::string governor;
  int64_t open_files = 0;

  static Machine describe();
};

// What this process has used since it started.
struct Usage {
  int64_t cpu_user_ns = 0;
  int64_t cpu_system_ns = 0;
  int64_t peak_memory_bytes = 0;
  int64_t heap_bytes = 0;            // in use now
  int64_t heap_committed_bytes = 0;  // what the allocator holds of the system's memory
  int64_t voluntary_switches = 0;
  int64_t involuntary_switches = 0;
  // How long the quota of the control group kept threads off processors, summed over these.
  std::optional<int64_t> throttled_ns;

  static Usage take();
};

// The value of the first line "NAME : VALUE" of a text, without spaces around it; empty where there is none.
std::string value_in(const std::string& text, const std::string& name);

// The text of a file, empty where there is none that can be read.
std::string read(const std::string& path);

}  // namespace rpcbench::host
