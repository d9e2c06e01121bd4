// Changes how many slots of a closed load make calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "load/arrival_queue.h"
#include "load/levels.h"

namespace rpcbench::load {

// Slots whose index is below its level make calls. Neighbours are of different connections, so that all connections
// have their part of every level. A slot at the level or above it ends the call that it makes, and is then idle until
// the level has risen past it. The pacer moves the level.
class Ramp {
 public:
  Ramp(const Schedule& schedule, std::vector<Slot*> slots, std::function<void(Slot&)> retire);

  // Reports whether a free slot may make a call. Otherwise it is idle, until it is handed one or let go.
  Turn take(Slot& slot);

  // How long it is to the next change; forever after the last. It is for the pacer, as climb.
  int64_t rest_ns(int64_t now) const;

  // Makes the next change: slots below the level that were idle make calls, on this thread.
  void climb();

  bool is_over();

  // Lets all idle slots go, when no more calls begin.
  void end();

 private:
  bool wakes(std::size_t slot);

  const Schedule schedule_;
  Levels levels_;
  const std::vector<Slot*> slots_;
  const std::function<void(Slot&)> retire_;
  bool more_;  // levels_ is at a change that is yet to be made

  std::atomic<int64_t> level_;  // written under the lock
  std::mutex mutex_;            // of all below
  std::vector<bool> idle_;      // by the slot's index
  bool over_ = false;
};

}  // namespace rpcbench::load
