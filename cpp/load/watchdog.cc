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

// Looks at all slots only when a call may be too old: with tens of thousands of them a look takes as long as several
// calls, and on one processor delays those that are due meanwhile.
void Watchdog::watch() {
  int64_t next = phase_.now_ns() + tick_ns_;
  while (!ended_.load()) {
    const int64_t now = phase_.now_ns();
    if (now >= next || cut_.load()) {
      const int64_t left = look(now);
      next = now + (cut_.load() ? std::min(tick_ns_, kCutAgainNs) : std::max(left, tick_ns_));
    }
    parker_.park(std::max(next - phase_.now_ns(), kMinTickNs));
  }
}

// Cancels what is to be canceled, and returns how long all other calls have left.
int64_t Watchdog::look(int64_t now) {
  int64_t oldest = now;
  for (Slot* slot : slots_) {
    if (ended_.load()) return 0;
    if (cut_.load()) {
      slot->cut_off();
    } else {
      oldest = std::min(oldest, slot->cancel_if_late(now - deadline_ns_));
    }
  }
  return oldest + deadline_ns_ - now;
}

}  // namespace rpcbench::load
