#include "load/slot.h"

#include "load/phase.h"

namespace rpcbench::load {
namespace {

const stack::Failure kDeadline = {stack::Code::kDeadlineExceeded, "the deadline passed"};

}  // namespace

void Slot::enter(Phase& phase) {
  phase_ = &phase;
  free_ns = 0;
  arrivals = 0;
  last_ns = 0;
  late = 0;
  state_.store(kFree);
}

bool Slot::exit() {
  int64_t was = kFree;
  return state_.compare_exchange_strong(was, kOut);
}

void Slot::make_call() { phase_->make_call(*this); }

void Slot::hold(int64_t due) {
  due_ns = due;
  state_.store(kHeld, std::memory_order_release);
}

void Slot::call(int64_t now) {
  int64_t was = state_.load();
  if (was == kLost || !state_.compare_exchange_strong(was, now)) {
    return;  // given up
  }
  caller_.start(*this);
}

void Slot::sent() {
  const int64_t now = phase_->now_ns();
  int64_t was = state_.load();
  while (was >= 0 && !is_cancelled(was) && !state_.compare_exchange_weak(was, now)) {
  }
}

void Slot::done(const stack::Failure* failure) {
  if (!in_flight()) {
    return;  // given up
  }
  Phase& phase = *phase_;
  const int64_t now = phase.now_ns();
  const bool is_late = failure == nullptr && phase.is_late(now);
  const stack::Failure* wrong = caller_.after();
  const int64_t sent = take_for_recording();
  if (sent < 0) {
    return;  // given up meanwhile
  }
  conclude(sent, now, failure, wrong, is_late);
  state_.store(kFree, std::memory_order_release);
  int canceller = kCanceller;
  if (is_cancelled(sent) && handing_.compare_exchange_strong(canceller, kLeft)) {
    return;  // the next call must not begin while this one's cancellation could hit it
  }
  phase.proceed(*this);
}

// Ends the in-flight state and returns the time of sending with its flags; negative if the call was given up.
int64_t Slot::take_for_recording() {
  int64_t was = state_.load();
  while (was >= 0 && !state_.compare_exchange_weak(was, kRecording)) {
  }
  return was;
}

// Records the call. If the call was canceled, its failure is the reason for that.
void Slot::conclude(int64_t sent, int64_t now, const stack::Failure* failure, const stack::Failure* wrong,
                    bool is_late) {
  const stack::Failure* why = failure;
  Fate fate = Fate::kAnswered;
  if (failure != nullptr && (sent & kCut) != 0) {
    fate = Fate::kUnfinished;
  } else if (failure != nullptr && (sent & kLate) != 0) {
    why = &kDeadline;
  }
  if (is_late && wrong == nullptr) {
    ++late;
  }
  record(fate, sent & kTime, now, why != nullptr ? why : wrong);
}

void Slot::record(Fate fate, int64_t sent, int64_t now, const stack::Failure* failure) {
  ++arrivals;
  last_ns = now;
  phase_->record(*this, fate, sent, now, failure);
}

int64_t Slot::cancel_if_late(int64_t latest_ns) {
  const int64_t sent = state_.load();
  if (sent < 0) return kForeverNs;
  if ((sent & kTime) <= latest_ns) {
    cancel(sent, kLate);
  }
  return sent & kTime;
}

void Slot::cut_off() {
  int64_t sent = state_.load();
  while (sent >= 0 && !cancel(sent, kCut)) {
    sent = state_.load();
  }
}

// Cancels the call that was sent at that time; returns false if it is over or another was sent since. The first reason
// counts. Cancel is repeated, because the first one may have come before the Caller had the call.
bool Slot::cancel(int64_t sent, int64_t why) {
  handing_.store(kCanceller);
  int64_t was = sent;
  const bool in_flight = state_.compare_exchange_strong(was, is_cancelled(sent) ? sent : sent | why);
  if (in_flight) {
    caller_.cancel();
  }
  int canceller = kCanceller;
  if (!handing_.compare_exchange_strong(canceller, kNobody)) {
    handing_.store(kNobody);
    phase_->resume(*this);
  }
  return in_flight;
}

void Slot::give_up(int64_t now) {
  int64_t was = state_.load();
  while (was != kOut && was != kLost) {
    if (was == kRecording) {  // takes no time
      was = state_.load();
      continue;
    }
    if (state_.compare_exchange_weak(was, kLost)) {
      if (was >= 0) {
        record(Fate::kUnfinished, was & kTime, now, nullptr);
      } else if (was == kHeld) {
        record(Fate::kUnsent, 0, now, nullptr);
      }
      return;
    }
  }
}

}  // namespace rpcbench::load
