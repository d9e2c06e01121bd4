// Assigns the arrivals of an open load to slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "load/arrivals.h"
#include "load/slot.h"

namespace rpcbench::load {

// What a free slot does next.
enum class NextStep { kCall, kIdle, kOver };

// Assigns each arrival once, in order. Idle slots wait in the order in which they became free, so an arrival gets the
// slot that has been free longest. The lag is therefore wake if and only if some slot was free.
class ArrivalQueue {
 public:
  // Called when a slot has no more calls to make, and when the pacer must check again. Both are called with the lock
  // held.
  struct Hooks {
    std::function<void(Slot&)> retire;
    std::function<void()> feed;
  };

  // Starts with all slots idle. Hooks may be called before it returns.
  ArrivalQueue(const Schedule& schedule, std::vector<Slot*> slots, Hooks hooks);

  // Gives the next arrival to a slot that has been free since its free_ns, or marks it idle if none is due.
  NextStep take(Slot& slot);

  // Returns the time until the next arrival is due; 0 if one can be dealt now. Returns kForeverNs if nothing more is
  // due or no slot is idle; in the second case feed is called when a slot becomes idle.
  int64_t rest_ns(int64_t now);

  // Returns how many slots wait for an arrival; nothing if no more arrive, so that none waits.
  std::optional<int> idle_slots();

  // Assigns the next arrival that is due to the slot that has been idle longest; returns null if there is nothing to
  // assign.
  Slot* deal(int64_t now);

  // Ends the schedule: arrivals due at end or later are not made.
  void end_at(int64_t end);

  // Reports whether more arrivals will come.
  bool goes_on();

  // Removes all remaining arrivals and reports them in groups that were due at about the same time: when the last of a
  // group was due, and how many it has.
  void drop(int64_t now, const std::function<void(int64_t last_ns, int64_t arrivals)>& each);

 private:
  void advance();
  void settle();
  void feed();
  Slot* pop();

  std::mutex mutex_;
  Arrivals arrivals_;
  Hooks hooks_;
  std::vector<Slot*> idle_;  // a ring with one place per slot
  std::size_t head_ = 0;
  std::size_t waiting_;
  int64_t due_ns_ = 0;           // of the next arrival
  bool more_ = true;             // whether there is a next arrival
  int64_t end_ns_ = kForeverNs;  // no arrival is due from here on
  bool starved_ = false;         // the pacer must be woken when a slot becomes idle or nothing more is due
};

}  // namespace rpcbench::load
