// Makes one call at a time.
#pragma once

#include <atomic>
#include <cstdint>

#include "load/sink.h"
#include "stack/caller.h"

namespace rpcbench::load {

class Phase;

// Its fields belong to whoever took it out of the state before; the state hands them over.
//
// A call costs, beyond the Caller's own work, two clock reads, two uncontended compare-and-sets, the trampoline's
// thread-local and the Sink, and in an open load one more clock read and the queue's lock. It allocates nothing.
class alignas(64) Slot final : public stack::Listener {
 public:
  Slot(int index, stack::Caller& caller) : index_(index), caller_(caller) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  int index() const { return index_; }
  bool is_out() const { return state_.load() == kOut; }
  bool in_flight() const { return state_.load() >= 0; }

  // Enters a phase; its calls come by call.
  void enter(Phase& phase);

  // Leaves the phase; false when it was given up.
  bool exit();

  // Makes the call that the slot is to make; only the trampoline calls it.
  void make_call();

  // Takes an arrival; the queue calls it.
  void hold(int64_t due);

  // Sends the call whose due_ns and free_ns are set, now.
  void call(int64_t now);

  // Listener's, of the call in flight. One that is being canceled is never sent: what it waited for its thread is all
  // that it took.
  void sent() override;
  void done(const stack::Failure* failure) override;

  // Cancels the call in flight if it was sent before the time given; only the watchdog calls it, as cut_off.
  void cancel_if_late(int64_t latest_ns);

  // Cancels the call in flight because the drain is over.
  void cut_off();

  // Ends the phase for a slot that is still in it. Whatever comes from its Caller later is ignored.
  void give_up(int64_t now);

  int64_t due_ns = 0;    // of the call in flight, in an open load
  int64_t free_ns = 0;   // since when the slot was free for it, in an open load
  int64_t arrivals = 0;  // of this phase
  int64_t last_ns = 0;   // this phase's latest completion
  int64_t late = 0;      // OK calls of this phase that were done after its window
  Slot* next = nullptr;  // in a trampoline

 private:
  // States besides the time of sending of a call in flight: in no phase; in one, between two calls.
  static constexpr int64_t kOut = -1;
  static constexpr int64_t kFree = -2;
  static constexpr int64_t kRecording = -3;  // a call is over, and its sample is on its way to the sink
  static constexpr int64_t kHeld = -4;       // the slot has an arrival of an open load, and has yet to send it
  static constexpr int64_t kLost = -5;       // given up by the phase, which has recorded the call as unfinished

  // Flags of a time of sending: the call is being canceled, because its deadline is over or the drain is.
  static constexpr int64_t kLate = INT64_C(1) << 62;
  static constexpr int64_t kCut = INT64_C(1) << 61;
  static constexpr int64_t kTime = kCut - 1;

  // Whoever cancels a call holds the slot, or the call has ended and left the slot to it.
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
