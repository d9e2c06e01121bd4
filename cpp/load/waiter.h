// Waits for due times.
#pragma once

#include <atomic>
#include <cstdint>

namespace rpcbench::load {

// How long before a due time the pacer stops sleeping and starts to spin. It adapts to the lateness of the machine's
// timers: it grows by a large step when a sleep ends too late, and shrinks by a small one otherwise. So it settles
// where one sleep in kMiss is too late.
class Lead {
 public:
  static constexpr int64_t kFirstNs = 100'000;
  static constexpr int64_t kMinNs = 20'000;
  static constexpr int64_t kMaxNs = 300'000;
  static constexpr int64_t kStepNs = 20'000;
  static constexpr int64_t kMiss = 200;

  int64_t ns() const { return ns_; }

  // Adapts to a sleep that ended late_ns late.
  void learn(int64_t late_ns);

 private:
  int64_t ns_ = kFirstNs;
};

// Sleeps with a small timer slack and spins for the last microseconds, which a sleeping processor would need to wake
// up. Spinning is limited to a ninth of the time, so that a fast schedule does not occupy a core. wait is for one
// thread at a time.
class Waiter {
 public:
  // Blocks for about ns. It may return early, but never much later; lateness counts as wake.
  void wait(int64_t ns);

  // Returns the CPU time of all waits so far, spinning included. Callable at any time.
  int64_t cpu_ns() const { return cpu_ns_.load(std::memory_order_relaxed); }

 private:
  Lead lead_;
  int64_t saved_ns_ = 0;  // spinning time that may still be used
  int64_t reckoned_ns_ = 0;
  std::atomic<int64_t> cpu_ns_ = 0;
};

}  // namespace rpcbench::load
