// Runs the phases of a client.
#pragma once

#include <mutex>
#include <thread>
#include <vector>

#include "control/pipe.h"
#include "record/recorder.h"
#include "worker.pb.h"
#include "worker/client.h"

namespace rpcbench::worker {

// Runs one phase at a time. Safe for concurrent use.
class Phases {
 public:
  // Allocates the memory for the phases before anything is measured.
  Phases(Client& client, control::EventWriter& events);

  // Cuts off the running phase and waits for it.
  ~Phases();

  // Starts a phase, which sends its Intervals and its Done; throws a FaultError.
  void begin(const v1::Begin& command);

  // Reports whether a phase is running.
  bool running();

  // Ends the running phase early; calls that are due are still sent and drained.
  void stop(const v1::Stop& command);

 private:
  void over();
  v1::Event run(const v1::Begin& command, const std::vector<int64_t>& edges, load::Phase& phase);

  Client& client_;
  control::EventWriter& events_;
  record::Recorder recorder_;
  std::mutex mutex_;
  load::Phase* running_ = nullptr;
  std::thread thread_;
};

}  // namespace rpcbench::worker
