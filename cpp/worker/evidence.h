// Makes the profiles and dumps that the driver asks for.
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

  // Begins a profile, or ends it and sends it; throws a FaultError.
  void profile(bool end);

  // Sends what every thread is doing, and with heap what the allocator holds.
  void dump(bool heap);

 private:
  void send(const std::string& name, const std::string& content);

  control::EventWriter& events_;
  std::unique_ptr<host::Profile> profile_;  // null where none is being made
};

}  // namespace rpcbench::worker
