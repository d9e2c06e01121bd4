#include "load/waiter.h"

#include <sys/prctl.h>

#include <algorithm>
#include <ctime>

#include "load/clock.h"

namespace rpcbench::load {
namespace {

constexpr unsigned long kSlackNs = 1000;  // the kernel's default is 50 µs
constexpr int64_t kSpinShare = 9;         // at most one part in this of the time is spent spinning
constexpr int64_t kMaxSavedNs = 1'000'000;

int64_t thread_cpu_ns() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * INT64_C(1'000'000'000) + now.tv_nsec;
}

void lower_slack() {
  thread_local const bool lowered = prctl(PR_SET_TIMERSLACK, kSlackNs) == 0;
  static_cast<void>(lowered);
}

void sleep_ns(int64_t ns) {
  const timespec length = {ns / 1'000'000'000, ns % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
}

}  // namespace

void Lead::learn(int64_t late_ns) {
  ns_ = late_ns > ns_ ? std::min(ns_ + kStepNs, kMaxNs) : std::max(ns_ - kStepNs / (kMiss - 1), kMinNs);
}

void Waiter::wait(int64_t ns) {
  lower_slack();
  const int64_t cpu = thread_cpu_ns();
  const int64_t start = monotonic_ns();
  saved_ns_ = std::min(saved_ns_ + (start - reckoned_ns_) / kSpinShare, kMaxSavedNs);
  reckoned_ns_ = start;
  const int64_t sleep = ns - std::min(lead_.ns(), saved_ns_);
  if (sleep > 0) {
    sleep_ns(sleep);
    lead_.learn(monotonic_ns() - start - sleep);
  }
  const int64_t woken = monotonic_ns();
  int64_t now = woken;
  while (now - start < ns && now - woken < saved_ns_) {
    now = monotonic_ns();
  }
  saved_ns_ -= now - woken;
  cpu_ns_.store(cpu_ns_.load(std::memory_order_relaxed) + thread_cpu_ns() - cpu, std::memory_order_relaxed);
}

}  // namespace rpcbench::load
