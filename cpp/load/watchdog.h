// Cancels calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "load/parker.h"
#include "load/slot.h"

namespace rpcbench::load {

// Cancels the calls that outlive the deadline, so that no call needs a timer of its own, and what is in flight when the
// drain ends. It has its own thread, so that nobody else waits for a stack's cancel.
class Watchdog {
 public:
  Watchdog(const Phase& phase, std::vector<Slot*> slots, int64_t deadline_ns);

  void begin();

  // Cancels all that is in flight, on the watchdog's thread, now and until the end.
  void cut();

  // Ends it, and waits for its thread.
  void end();

 private:
  void watch();
  void look(int64_t now);

  const Phase& phase_;
  const std::vector<Slot*> slots_;
  const int64_t deadline_ns_;
  const int64_t tick_ns_;
  Parker parker_;
  std::atomic<bool> cut_ = false;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

}  // namespace rpcbench::load
