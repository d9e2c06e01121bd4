// One run of a schedule.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "load/arrival_queue.h"
#include "load/pacer.h"
#include "load/parker.h"
#include "load/ramp.h"
#include "load/schedule.h"
#include "load/sink.h"
#include "load/slot.h"
#include "load/watchdog.h"

namespace rpcbench::load {

class Phase {
 public:
  // Made by a Room, which outlives it, as do the slots, the waiter and the sink.
  Phase(Schedule schedule, std::vector<Slot*> slots, Waiter& waiter, int64_t deadline_ns, int64_t drain_ns, Sink& sink);
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  // Puts off run, which the same thread calls next; less long when the phase is stopped or aborted.
  void await(int64_t delay_ns);

  // Makes the schedule's calls and returns when every arrival that was due is recorded: at the latest its drain and
  // five seconds after the last was due. It may be called once.
  Tally run();

  // Ends the schedule now: nothing more falls due, what is due is still sent and drained, by a drain of its own where
  // that ends earlier. It may be called at any time, before run too, from anywhere, more than once.
  void stop(int64_t drain_ns = kForeverNs);

  // Ends the phase now: nothing more is sent, and what is in flight is cut off. Callable as stop is.
  void abort();

  // The rest is for slots, the pacer and the watchdog.

  // The time since the phase began.
  int64_t now_ns() const;

  // A slot is free: it makes the next call that is due, or waits for it in the queue, or is out.
  void proceed(Slot& slot);

  // Makes the call that a slot is to make; called by the trampoline.
  void make_call(Slot& slot);

  // A slot has no more work to do, or the pacer, which stays until all slots are out.
  void leave();
  bool slots_are_out() const { return running_.load() <= 1; }

  // Has a free slot go on, on the pacer's thread.
  void resume(Slot& slot) { pacer_.resume(slot); }

  // How long there is nothing to do for the pacer of a closed load; 0 when climb has something to do now.
  int64_t rest_of_ramp_ns();
  void climb();

  // Whether a call that is done then is done after the window.
  bool is_late(int64_t done_ns) const { return done_ns > end_ns_.load(std::memory_order_relaxed); }

  // Hands a sample to the sink.
  void record(const Slot& slot, Fate fate, int64_t sent_ns, int64_t done_ns, const stack::Failure* failure);

 private:
  void begin();
  void retire(Slot& slot);
  Turn begins(Slot& slot, int64_t now);
  Turn take_of_calls();
  bool await_over();
  int64_t drained(int64_t end) const;
  bool goes_on(int64_t now);
  void end_at(int64_t now);
  void cut_off();
  Tally tally() const;
  int64_t busy_ns() const;

  const Schedule schedule_;
  const std::vector<Slot*> slots_;
  Sink& sink_;
  Pacer pacer_;
  Watchdog watchdog_;
  std::atomic<int64_t> drain_ns_;             // lowered by stop
  std::atomic<int64_t> end_ns_ = kForeverNs;  // no call falls due from here on
  std::atomic<int64_t> left_;                 // calls not yet begun, of a closed load that ends after a number of them
  std::atomic<int> running_ = 0;              // slots that are not out, and the pacer
  int64_t origin_ns_;                         // of the phase, by the clock
  std::optional<ArrivalQueue> queue_;         // of an open load
  std::optional<Ramp> ramp_;                  // of a closed load with stages
  int64_t unsent_ = 0;                        // written by run alone
  int64_t stopped_ns_ = 0;                    // when a stop ended the schedule; 0 where none did
  Parker runner_;                             // of run's thread
  std::atomic<int> stops_ = 0;                // that there were
  std::atomic<bool> aborted_ = false;
};

}  // namespace rpcbench::load
