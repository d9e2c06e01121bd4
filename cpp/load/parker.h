// Blocks a thread until another unblocks it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace rpcbench::load {

// One thread parks. Any thread may unpark it, also beforehand.
class Parker {
 public:
  // Returns after the given time, or once it was unparked since the last call.
  void park(int64_t ns) {
    std::unique_lock lock(mutex_);
    constexpr int64_t kMax = INT64_C(3600) * 1'000'000'000;  // so that the clock does not overflow
    woken_.wait_for(lock, std::chrono::nanoseconds(ns < kMax ? ns : kMax), [this] { return permit_; });
    permit_ = false;
  }

  void unpark() {
    const std::lock_guard lock(mutex_);
    permit_ = true;
    woken_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  bool permit_ = false;
};

}  // namespace rpcbench::load
