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

// The time that may be spent spinning: one part in nine.
class SpinBudget {
 public:
  static constexpr int64_t kShare = 9;
  static constexpr int64_t kMaxSavedNs = 1'000'000;

  // Returns how long a wait that begins now may spin, at most most_ns.
  int64_t allow(int64_t now_ns, int64_t most_ns);

  // Charges the time from the beginning of a spin to its end. In what is more than was allowed the thread had lost its
  // processor. That is not charged: waits would be too long until it was paid off.
  void spend(int64_t took_ns, int64_t allowed_ns);

 private:
  int64_t saved_ns_ = 0;
  int64_t reckoned_ns_ = 0;
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
  SpinBudget budget_;
  std::atomic<int64_t> cpu_ns_ = 0;
};

}  // namespace rpcbench::load
