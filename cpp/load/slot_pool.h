// Holds the slots of a worker.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "load/phase.h"
#include "load/waiter.h"
#include "stack/caller.h"

namespace rpcbench::load {

// Runs phases one after another; a Caller keeps its state between them. Callers must outlive the pool.
class SlotPool {
 public:
  // Makes a slot for every Caller. A call is canceled at most 5% (or 1 ms) of the deadline after it.
  SlotPool(const std::vector<stack::Caller*>& callers, int64_t deadline_ns);

  int size() const { return static_cast<int>(slots_.size()); }

  // Returns the number of calls in flight. Callable at any time.
  int in_flight() const;

  // Reports whether a slot never returned from a phase that is over.
  bool has_lost() const;

  // Returns the CPU time used by waiting for due times.
  int64_t pacer_cpu_ns() const { return waiter_.cpu_ns(); }

  // Prepares a phase that makes the schedule's calls and records them in sink. Calls may be sent and answered until
  // drain_ns after the last was due. Phases must not overlap. Throws std::runtime_error if a slot never returned from
  // an earlier phase. The pool keeps the phase, because a call that was given up may still end.
  Phase& begin(const Schedule& schedule, int64_t drain_ns, Sink& sink);

 private:
  const int64_t deadline_ns_;
  Waiter waiter_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::unique_ptr<Phase>> phases_;
  std::atomic<Phase*> phase_ = nullptr;  // the last of them
};

}  // namespace rpcbench::load
