// Makes one call at a time.
#pragma once

#include <atomic>
#include <cstdint>

#include "load/sink.h"
#include "stack/caller.h"

namespace rpcbench::load {

class Phase;

// The fields belong to the thread that changed the state last; a change of state hands them over.
//
// In addition to the Caller's work, a call costs two clock reads, two uncontended compare-and-swaps, access to the
// trampoline's thread-local and the Sink. In an open load it also costs a third clock read and the queue's lock. It
// allocates nothing.
class alignas(64) Slot final : public stack::Listener {
 public:
  Slot(int index, stack::Caller& caller) : index_(index), caller_(caller) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  int index() const { return index_; }
  bool is_out() const { return state_.load() == kOut; }
  bool in_flight() const { return state_.load() >= 0; }

  // Enters a phase.
  void enter(Phase& phase);

  // Leaves the phase; returns false if the slot was given up.
  bool exit();

  // Makes the slot's next call; only the trampoline calls it.
  void make_call();

  // Takes an arrival; the queue calls it.
  void hold(int64_t due);

  // Sends the call whose due_ns and free_ns are set.
  void call(int64_t now);

  // The Listener's methods, for the call in flight. A call that is being canceled never becomes sent: it spent all its
  // time waiting for its thread.
  void sent() override;
  void done(const stack::Failure* failure) override;

  // Cancels the call in flight if it was sent by latest_ns. Returns when it was sent; kForeverNs if there is none. Only
  // the watchdog calls it, like cut_off.
  int64_t cancel_if_late(int64_t latest_ns);

  // Cancels the call in flight because the drain is over.
  void cut_off();

  // Ends the phase for a slot that is still in it. Later events from its Caller are ignored.
  void give_up(int64_t now);

  int64_t due_ns = 0;    // of the call in flight, in an open load
  int64_t free_ns = 0;   // since when the slot was free for it, in an open load
  int64_t arrivals = 0;  // in this phase
  int64_t last_ns = 0;   // latest completion in this phase
  int64_t late = 0;      // OK calls of this phase that ended after its window
  Slot* next = nullptr;  // in a trampoline

 private:
  // The states. While a call is in flight, the state is its time of sending.
  static constexpr int64_t kOut = -1;
  static constexpr int64_t kFree = -2;
  static constexpr int64_t kRecording = -3;  // a call is over, and its sample is being recorded
  static constexpr int64_t kHeld = -4;       // the slot has an arrival of an open load that it has not sent
  static constexpr int64_t kLost = -5;       // given up by the phase, which recorded the call as unfinished

  // Flags of the time of sending: the call is being canceled because of its deadline, or because the drain is over.
  static constexpr int64_t kLate = INT64_C(1) << 62;
  static constexpr int64_t kCut = INT64_C(1) << 61;
  static constexpr int64_t kTime = kCut - 1;

  // Who continues with a slot whose call is being canceled: while it cancels, the canceler holds the slot; a call that
  // ends meanwhile leaves the slot to it.
  enum Handing : int { kNobody, kCanceller, kLeft };

  static bool is_cancelled(int64_t sent) { return (sent & (kLate | kCut)) != 0; }

  int64_t take_for_recording();
  void conclude(int64_t sent, int64_t now, const stack::Failure* failure, const stack::Failure* wrong, bool is_late);
  void record(Fate fate, int64_t sent, int64_t now, const stack::Failure* failure);
  bool cancel(int64_t sent, int64_t why);

  const int index_;
  stack::Caller& caller_;
  Phase* phase_ = nullptr;
  std::atomic<int64_t> state_ = kOut;
  std::atomic<int> handing_ = kNobody;
};

}  // namespace rpcbench::load
