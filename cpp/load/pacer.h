// Starts calls when they are due.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "load/parker.h"
#include "load/slot.h"
#include "load/waiter.h"

namespace rpcbench::load {

class ArrivalQueue;

// How long before an arrival the pacer switches from its Parker, which is late, to its Waiter, which costs more and can't be
// interrupted.
inline constexpr int64_t kNearNs = 5'000'000;

// Waits a part of the time until something is due: at rest until it is near, and then precisely. Other kinds of parkers and
// waiters are those of tests.
template <typename P, typename W>
void approach(int64_t rest_ns, P& parker, W& waiter) {
  if (rest_ns > kNearNs) {
    parker.park(rest_ns - kNearNs);
  } else {
    waiter.wait(rest_ns);
  }
}

// Starts the calls of an open load, each in the slot that has been idle longest. While no slot is idle it does nothing:
// slots that become free take overdue arrivals themselves. In a closed load it starts the first calls, and those of the
// slots that a ramp adds. In both it resumes slots whose call ended while it was being canceled.
class Pacer {
 public:
  Pacer(Phase& phase, Waiter& waiter, std::vector<Slot*> slots)
      : phase_(phase), waiter_(waiter), slots_(std::move(slots)) {}

  // Starts the pacer; queue is null in a closed load.
  void begin(ArrivalQueue* queue);

  // Stops the pacer, even if slots are lost, and joins its thread.
  void end();

  // Wakes the pacer, so that it checks again for work.
  void wake() { parker_.unpark(); }

  // Resumes a free slot on the pacer's thread.
  void resume(Slot& slot);

 private:
  void run();
  void step();
  void step_closed();
  Slot* resumed();

  Phase& phase_;
  Waiter& waiter_;
  const std::vector<Slot*> slots_;
  ArrivalQueue* queue_ = nullptr;
  Parker parker_;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;  // guards resumed_
  std::deque<Slot*> resumed_;
  std::atomic<bool> resumes_ = false;
  std::thread thread_;
};

}  // namespace rpcbench::load
