// Call stacks of threads, taken by signals.
#pragma once

#include <string>

namespace rpcbench::host {

// Returns the state of every thread: a line with its number, name and state, followed by its functions.
std::string thread_dump();

// Samples running threads, a hundred times per second of CPU time, until end. Only one profile may run at a time.
class Profile {
 public:
  Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  ~Profile();

  // Returns the samples in flame-graph format, "function;function;function count", outermost first, below the name of
  // the thread. If no thread ran, it returns one line that says so.
  std::string end();

 private:
  bool running_ = true;
};

}  // namespace rpcbench::host
