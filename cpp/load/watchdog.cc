#include "load/watchdog.h"

#include <pthread.h>

#include <algorithm>

#include "load/phase.h"

namespace rpcbench::load {
namespace {

constexpr int64_t kMinTickNs = 1'000'000;
constexpr int64_t kMaxTickNs = 100'000'000;

// How often it looks again for calls that were sent while all were being cut off.
constexpr int64_t kCutAgainNs = 10'000'000;

}  // namespace

Watchdog::Watchdog(const Phase& phase, std::vector<Slot*> slots, int64_t deadline_ns)
    : phase_(phase),
      slots_(std::move(slots)),
      deadline_ns_(deadline_ns),
      tick_ns_(std::clamp(deadline_ns / 20, kMinTickNs, kMaxTickNs)) {}

void Watchdog::begin() {
  thread_ = std::thread([this] { watch(); });
  pthread_setname_np(thread_.native_handle(), "rpcbench-watch");
}

void Watchdog::cut() {
  cut_.store(true);
  parker_.unpark();
}

void Watchdog::end() {
  ended_.store(true);
  parker_.unpark();
  thread_.join();
}

void Watchdog::watch() {
  int64_t tick = phase_.now_ns() + tick_ns_;
  while (!ended_.load()) {
    const int64_t now = phase_.now_ns();
    if (now >= tick || cut_.load()) {
      look(now);
      tick = now + (cut_.load() ? std::min(tick_ns_, kCutAgainNs) : tick_ns_);
    }
    parker_.park(std::max(tick - phase_.now_ns(), kMinTickNs));
  }
}

void Watchdog::look(int64_t now) {
  for (Slot* slot : slots_) {
    if (ended_.load()) return;
    if (cut_.load()) {
      slot->cut_off();
    } else {
      slot->cancel_if_late(now - deadline_ns_);
    }
  }
}

}  // namespace rpcbench::load
