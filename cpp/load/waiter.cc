#include "load/waiter.h"

#include <sys/prctl.h>

#include <algorithm>
#include <ctime>

#include "load/clock.h"

namespace rpcbench::load {
namespace {

constexpr unsigned long kSlackNs = 1000;  // the kernel's default is 50 µs

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

int64_t SpinBudget::allow(int64_t now_ns, int64_t most_ns) {
  saved_ns_ = std::min(saved_ns_ + (now_ns - reckoned_ns_) / kShare, kMaxSavedNs);
  reckoned_ns_ = now_ns;
  return std::min(most_ns, saved_ns_);
}

void SpinBudget::spend(int64_t took_ns, int64_t allowed_ns) { saved_ns_ -= std::min(took_ns, allowed_ns); }

void Waiter::wait(int64_t ns) {
  lower_slack();
  const int64_t cpu = thread_cpu_ns();
  const int64_t start = monotonic_ns();
  const int64_t allowed = budget_.allow(start, lead_.ns());
  const int64_t sleep = ns - allowed;
  if (sleep > 0) {
    sleep_ns(sleep);
    lead_.learn(monotonic_ns() - start - sleep);
  }
  const int64_t woken = monotonic_ns();
  int64_t now = woken;
  while (now - start < ns && now - woken < allowed) {
    now = monotonic_ns();
  }
  budget_.spend(now - woken, allowed);
  cpu_ns_.store(cpu_ns_.load(std::memory_order_relaxed) + thread_cpu_ns() - cpu, std::memory_order_relaxed);
}

}  // namespace rpcbench::load
