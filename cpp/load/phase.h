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
#include "load/span.h"
#include "load/watchdog.h"

namespace rpcbench::load {

class Phase {
 public:
  // Made by a SlotPool, which must outlive it, as must the slots, the waiter and the sink.
  Phase(Schedule schedule, std::vector<Slot*> slots, Waiter& waiter, int64_t deadline_ns, int64_t drain_ns, Sink& sink);
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  // Delays run, which the same thread calls next. A stop or abort ends the delay. Random arrivals with a number of
  // calls are read meanwhile, and it takes longer if that does.
  void await(int64_t delay_ns);

  // Makes the schedule's calls and returns when every arrival that was due is recorded: at the latest the drain time
  // plus five seconds after the last was due. It may be called once.
  Tally run();

  // Ends the schedule now: no more calls fall due, and those that are due are still sent and drained, for at most
  // drain_ns. Callable at any time, from any thread, repeatedly, and before run.
  void stop(int64_t drain_ns = kForeverNs);

  // Ends the phase now: nothing more is sent, and calls in flight are cut off. Callable like stop.
  void abort();

  // Returns how many slots wait for an arrival of an open load; nothing if none will wait any more, or before run.
  // Callable like stop.
  std::optional<int> idle_slots() const;

  // The methods below are for slots, the pacer and the watchdog.

  // Returns the time since the phase began.
  int64_t now_ns() const;

  // Continues with a free slot: it makes the next call that is due, waits for one in the queue, or is out.
  void proceed(Slot& slot);

  // Makes the slot's next call; called by the trampoline.
  void make_call(Slot& slot);

  // Called when a slot has no more work, and by the pacer, which stays until all slots are out.
  void leave();
  bool slots_are_out() const { return running_.load() <= 1; }

  // Resumes a free slot on the pacer's thread.
  void resume(Slot& slot) { pacer_.resume(slot); }

  // Returns the time until the pacer of a closed load has work; 0 if climb has work now.
  int64_t rest_of_ramp_ns();
  void climb();

  // Reports whether a call that ends at done_ns ends after the window.
  bool is_late(int64_t done_ns) const { return done_ns > end_ns_.load(std::memory_order_relaxed); }

  // Passes a sample to the sink.
  void record(const Slot& slot, Fate fate, int64_t sent_ns, int64_t done_ns, const stack::Failure* failure);

 private:
  void foresee();
  void begin();
  void retire(Slot& slot);
  NextStep begins(Slot& slot, int64_t now);
  NextStep take_of_calls();
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
  std::atomic<int64_t> left_;                 // calls not yet begun, of a closed load with a number of calls
  std::atomic<int> running_ = 0;              // slots that are not out, plus the pacer
  std::optional<Span> span_;                  // of the schedule, once it is foreseen
  int64_t origin_ns_;                         // when the phase began, on the monotonic clock
  std::optional<ArrivalQueue> queue_;         // for an open load
  std::atomic<ArrivalQueue*> asked_ = nullptr;  // queue_, once it is made
  std::optional<Ramp> ramp_;                  // for a closed load with stages
  int64_t unsent_ = 0;                        // written by run only
  int64_t stopped_ns_ = 0;                    // when a stop ended the schedule; 0 if none did
  Parker runner_;                             // the thread in run
  std::atomic<int> stops_ = 0;                // number of stops
  std::atomic<bool> aborted_ = false;
};

}  // namespace rpcbench::load
