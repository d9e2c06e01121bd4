// Profiles and dumps that the driver requests.
#pragma once

#include <memory>
#include <string>

#include "control/pipe.h"
#include "host/stacks.h"

namespace rpcbench::worker {

// For one thread.
class Evidence {
 public:
  explicit Evidence(control::EventWriter& events) : events_(events) {}

  // Starts a profile, or ends it and sends it; throws a FaultError.
  void profile(bool end);

  // Sends the stacks of all threads, and the state of the allocator if heap is set.
  void dump(bool heap);

 private:
  void send(const std::string& name, const std::string& content);

  control::EventWriter& events_;
  std::unique_ptr<host::Profile> profile_;  // null if none is running
};

}  // namespace rpcbench::worker
