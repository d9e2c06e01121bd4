// Holds the slots of one worker.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "load/phase.h"
#include "load/waiter.h"
#include "stack/caller.h"

namespace rpcbench::load {

// Phases run in it one after another; what a Caller holds lives on between them. Callers outlive it.
class Room {
 public:
  // Makes a room with a slot for every Caller. A call is canceled at most a twentieth (or 1 ms) after its deadline.
  Room(const std::vector<stack::Caller*>& callers, int64_t deadline_ns);

  int size() const { return static_cast<int>(slots_.size()); }

  // How many calls are being made now. It may be called at any time.
  int in_flight() const;

  // Whether a slot never came back from a phase that is over.
  bool has_lost() const;

  // What all waiting for due times has used.
  int64_t pacer_cpu_ns() const { return waiter_.cpu_ns(); }

  // Prepares a phase: the schedule's calls, recorded to sink, late ones sent and answered until drain_ns after the last
  // was due. One phase at a time. It throws std::runtime_error when a slot never came back from an earlier one. The
  // room keeps it: a call that was given up may yet end.
  Phase& begin(const Schedule& schedule, int64_t drain_ns, Sink& sink);

 private:
  const int64_t deadline_ns_;
  Waiter waiter_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::unique_ptr<Phase>> phases_;
};

}  // namespace rpcbench::load
