// Waits for due times.
#pragma once

#include <atomic>
#include <cstdint>

namespace rpcbench::load {

// How long before a due time the pacer leaves the kernel, to spin over the rest. It follows the lateness of the
// machine's timers: it grows by much when a sleep ended too late for it, and shrinks by little when one did not, so
// that it settles where one sleep in kMiss ends too late.
class Lead {
 public:
  static constexpr int64_t kFirstNs = 100'000;
  static constexpr int64_t kLeastNs = 20'000;
  static constexpr int64_t kMostNs = 300'000;
  static constexpr int64_t kStepNs = 20'000;
  static constexpr int64_t kMiss = 200;

  int64_t ns() const { return ns_; }

  // Takes account of a sleep that ended late.
  void learn(int64_t late_ns);

 private:
  int64_t ns_ = kFirstNs;
};

// Waits in the kernel, with a small timer slack, and spins over the last microseconds, in which a sleeping processor
// would only wake. The spinning is bounded to a ninth of the time, so that a fast schedule does not burn a core. wait
// is for one thread at a time.
class Waiter {
 public:
  // Blocks for about so long. It may return early, never much later: the lateness is charged to wake.
  void wait(int64_t ns);

  // The CPU time of all waits so far, spinning included. It may be called at any time.
  int64_t cpu_ns() const { return cpu_ns_.load(std::memory_order_relaxed); }

 private:
  Lead lead_;
  int64_t saved_ns_ = 0;  // spinning that may still be spent
  int64_t reckoned_ns_ = 0;
  std::atomic<int64_t> cpu_ns_ = 0;
};

}  // namespace rpcbench::load
