// Where threads are: call stacks, by signals.
#pragma once

#include <string>

namespace rpcbench::host {

// What every thread is doing: a line with its number, name and state, and below it its functions.
std::string thread_dump();

// Samples what runs on processors, a hundred times a second of CPU time, until end. One at a time.
class Profile {
 public:
  Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  ~Profile();

  // What was sampled, in the form "function;function;function count" of flame graphs, the outermost first, each thread
  // below its name. A profile in which nothing ran has one line, that says so.
  std::string end();

 private:
  bool running_ = true;
};

}  // namespace rpcbench::host
