// Makes background calls repeatedly on every connection.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "load/sink.h"
#include "load/slot_pool.h"
#include "stack/caller.h"
#include "worker.pb.h"

namespace rpcbench::worker {

// A separate closed load whose samples are only counted. It starts with the first phase and ends with the worker.
class Background final : private load::Sink {
 public:
  // Takes one Caller per connection.
  Background(std::vector<std::unique_ptr<stack::Caller>> callers, int64_t deadline_ns);
  ~Background() override;

  // Starts the calls with the first phase, and resets the counts with every phase.
  void begin();

  // Ends the calls for good.
  void end();

  // Reports, after end, whether a call never returned.
  bool has_lost() const { return phase_ != nullptr && pool_.has_lost(); }

  // Returns the number of calls that ended since the phase began.
  v1::BackgroundDone counted();

 private:
  void record(const load::Sample& sample) override;

  const std::vector<std::unique_ptr<stack::Caller>> callers_;
  load::SlotPool pool_;
  std::mutex mutex_;
  v1::BackgroundDone count_;  // since the phase began
  load::Phase* phase_ = nullptr;
  std::thread thread_;
};

}  // namespace rpcbench::worker
