// Cancels calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "load/parker.h"
#include "load/slot.h"

namespace rpcbench::load {

// Cancels calls that exceed the deadline, so that no call needs its own timer, and calls in flight when the drain ends.
// It has its own thread, so that no other thread waits for a stack's cancel.
class Watchdog {
 public:
  Watchdog(const Phase& phase, std::vector<Slot*> slots, int64_t deadline_ns);

  void begin();

  // Cancels everything in flight, on the watchdog's thread, from now until end.
  void cut();

  // Stops the watchdog and joins its thread.
  void end();

 private:
  void watch();
  int64_t look(int64_t now);

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
