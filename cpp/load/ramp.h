// Changes the number of slots that make calls in a closed load.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "load/arrival_queue.h"
#include "load/levels.h"

namespace rpcbench::load {

// Slots below the level make calls. Neighboring slots belong to different connections, so every level is spread over
// all connections. A slot at or above the level finishes its call and is then idle until the level rises past it. The
// pacer moves the level.
class Ramp {
 public:
  Ramp(const Schedule& schedule, std::vector<Slot*> slots, std::function<void(Slot&)> retire);

  // Decides whether a free slot may make a call. Otherwise the slot is idle until the level rises or the ramp ends.
  NextStep take(Slot& slot);

  // Returns the time until the next change; kForeverNs after the last. For the pacer only, like climb.
  int64_t rest_ns(int64_t now) const;

  // Makes the next change: idle slots that are now below the level make calls, on this thread.
  void climb();

  bool is_over();

  // Retires all idle slots, because no more calls begin.
  void end();

 private:
  bool wakes(std::size_t slot);

  const Schedule schedule_;
  Levels levels_;
  const std::vector<Slot*> slots_;
  const std::function<void(Slot&)> retire_;
  bool more_;  // levels_ holds a change that has not been made

  std::atomic<int64_t> level_;  // written under the lock
  std::mutex mutex_;            // guards the fields below
  std::vector<bool> idle_;      // by slot index
  bool over_ = false;
};

}  // namespace rpcbench::load
