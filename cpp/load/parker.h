// Blocks a thread until another lets it go on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace rpcbench::load {

// One thread parks; any may unpark it, before too.
class Parker {
 public:
  // Returns after so long, or when it was unparked since the last time.
  void park(int64_t ns) {
    std::unique_lock lock(mutex_);
    constexpr int64_t kMost = INT64_C(3600) * 1'000'000'000;  // so that no clock overflows
    woken_.wait_for(lock, std::chrono::nanoseconds(ns < kMost ? ns : kMost), [this] { return permit_; });
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
