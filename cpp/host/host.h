// Facts about the machine and this process, from Linux; see proc(5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rpcbench::host {

// Returns the number of processors that this process may use.
int processors();

// The properties of the machine that affect measurements. Unknown ones are empty or 0. Operating systems and
// architectures are named as in Go.
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

// Resources used by this process since it started.
struct Usage {
  int64_t cpu_user_ns = 0;
  int64_t cpu_system_ns = 0;
  int64_t peak_memory_bytes = 0;
  int64_t heap_bytes = 0;            // currently in use
  int64_t heap_committed_bytes = 0;  // obtained from the system by the allocator
  int64_t voluntary_switches = 0;
  int64_t involuntary_switches = 0;
  std::optional<int64_t> throttled_ns;  // see throttled

  static Usage take();
};

// Returns the time for which the CPU quota of a control group kept threads off processors that they could have used, in ns
// summed over processors: of this process's group, or of the enclosing group that lost most. It returns nothing if no group
// counts it. root is the folder /, without its slash.
std::optional<int64_t> throttled(const std::string& root);

// Returns the value of the first line "NAME : VALUE", without surrounding spaces; empty if there is none.
std::string value_in(const std::string& text, const std::string& name);

// Returns the contents of a file; empty if it can't be read.
std::string read(const std::string& path);

}  // namespace rpcbench::host
