// Deals the arrivals of an open load to slots.
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

// What a free slot has before it.
enum class Turn { kCall, kIdle, kOver };

// Deals each arrival once, in order. Its idle slots wait in the order in which they became free, so that an arrival
// always meets the slot that has been free longest: the lag is then wake exactly when some slot was free.
class ArrivalQueue {
 public:
  // Hears of slots that have no more calls to make, and of the pacer's need to look again. Both are called under the
  // lock.
  struct Hooks {
    std::function<void(Slot&)> retire;
    std::function<void()> feed;
  };

  // Begins with all slots idle. Hooks may be called before it returns.
  ArrivalQueue(const Schedule& schedule, std::vector<Slot*> slots, Hooks hooks);

  // Gives a slot that is free since its free_ns the next arrival if that is due, or has it wait as idle.
  Turn take(Slot& slot);

  // How long there is nothing to deal: 0 when there is something now. For ever, where nothing more is due, or where no
  // slot is idle: then the pacer is fed when one is.
  int64_t rest_ns(int64_t now);

  // Gives what is due by now to the slot that has been idle longest; null where there is nothing to deal.
  Slot* deal(int64_t now);

  // Ends the schedule: only arrivals due before end are made.
  void end_at(int64_t end);

  // Whether there are arrivals to come.
  bool goes_on();

  // Takes all arrivals that are left, and tells of those that were due at about the same time before now: when the last
  // of them was, and how many there are.
  void drop(int64_t now, const std::function<void(int64_t last_ns, int64_t arrivals)>& each);

 private:
  void advance();
  void settle();
  void feed();
  Slot* pop();

  std::mutex mutex_;
  Arrivals arrivals_;
  Hooks hooks_;
  std::vector<Slot*> idle_;  // a ring of as many places as there are slots
  std::size_t head_ = 0;
  std::size_t waiting_;
  int64_t due_ns_ = 0;           // of the next arrival
  bool more_ = true;             // there is a next arrival
  int64_t end_ns_ = kForeverNs;  // nothing is due from here on
  bool starved_ = false;         // the pacer is to be woken when a slot is idle, or nothing more is due
};

}  // namespace rpcbench::load
