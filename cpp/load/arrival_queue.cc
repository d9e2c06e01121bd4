#include "load/arrival_queue.h"

#include <algorithm>
#include <utility>

namespace rpcbench::load {
namespace {

// Arrivals are reported together if their lateness differs by at most one part in this, like values in a histogram.
constexpr int64_t kMergeFraction = 1000;

}  // namespace

ArrivalQueue::ArrivalQueue(const Schedule& schedule, std::vector<Slot*> slots, Hooks hooks)
    : arrivals_(schedule), hooks_(std::move(hooks)), idle_(std::move(slots)), waiting_(idle_.size()) {
  const std::lock_guard lock(mutex_);
  advance();
}

NextStep ArrivalQueue::take(Slot& slot) {
  const std::lock_guard lock(mutex_);
  if (!more_) return NextStep::kOver;
  if (due_ns_ <= slot.free_ns) {
    slot.hold(due_ns_);
    if (waiting_ > 0) {  // the pacer is late: an idle slot could have taken it
      slot.free_ns = idle_[head_]->free_ns;
    }
    advance();
    return NextStep::kCall;
  }
  idle_[(head_ + waiting_) % idle_.size()] = &slot;
  ++waiting_;
  feed();
  return NextStep::kIdle;
}

int64_t ArrivalQueue::rest_ns(int64_t now) {
  const std::lock_guard lock(mutex_);
  if (!more_) return kForeverNs;
  if (due_ns_ > now) return due_ns_ - now;
  starved_ = waiting_ == 0;
  return starved_ ? kForeverNs : 0;
}

std::optional<int> ArrivalQueue::idle_slots() {
  const std::lock_guard lock(mutex_);
  if (!more_) return std::nullopt;
  return static_cast<int>(waiting_);
}

Slot* ArrivalQueue::deal(int64_t now) {
  const std::lock_guard lock(mutex_);
  if (!more_ || due_ns_ > now || waiting_ == 0) return nullptr;
  Slot* slot = pop();
  slot->hold(due_ns_);
  advance();
  return slot;
}

void ArrivalQueue::end_at(int64_t end) {
  const std::lock_guard lock(mutex_);
  end_ns_ = std::min(end_ns_, end);
  settle();
}

bool ArrivalQueue::goes_on() {
  const std::lock_guard lock(mutex_);
  return more_;
}

// Nothing waits for the queue any more, so the rest of the sequence is read without the lock.
void ArrivalQueue::drop(int64_t now, const std::function<void(int64_t, int64_t)>& each) {
  std::unique_lock lock(mutex_);
  std::optional<int64_t> due = due_ns_;
  const int64_t end = end_ns_;
  bool some = more_;
  more_ = false;
  settle();
  lock.unlock();
  while (some) {
    int64_t last = *due;
    int64_t count = 0;
    for (const int64_t latest = *due + (now - *due) / kMergeFraction; some && *due <= latest; ++count) {
      last = *due;
      due = arrivals_.next();
      some = due && *due < end;
    }
    each(last, count);
  }
}

void ArrivalQueue::advance() {
  const std::optional<int64_t> due = arrivals_.next();
  more_ = due.has_value();
  due_ns_ = due.value_or(kForeverNs);
  settle();
}

// Retires all idle slots once there are no more arrivals.
void ArrivalQueue::settle() {
  more_ = more_ && due_ns_ < end_ns_;
  if (more_) return;
  while (waiting_ > 0) {
    hooks_.retire(*pop());
  }
  feed();
}

void ArrivalQueue::feed() {
  if (std::exchange(starved_, false)) {
    hooks_.feed();
  }
}

Slot* ArrivalQueue::pop() {
  Slot* slot = idle_[head_];
  head_ = (head_ + 1) % idle_.size();
  --waiting_;
  return slot;
}

}  // namespace rpcbench::load
