#include "load/phase.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "load/clock.h"
#include "load/trampoline.h"

namespace rpcbench::load {
namespace {

// The time that a canceled call may take to return before its slot is given up, after which every later phase of the
// trial fails. Calls that never return are rare; slow ones are not: the first call of a process on a busy machine can
// be slow.
constexpr int64_t kGraceNs = 5'000'000'000;

void lower(std::atomic<int64_t>& value, int64_t to) {
  int64_t was = value.load();
  while (to < was && !value.compare_exchange_weak(was, to)) {
  }
}

}  // namespace

Phase::Phase(Schedule schedule, std::vector<Slot*> slots, Waiter& waiter, int64_t deadline_ns, int64_t drain_ns,
             Sink& sink)
    : schedule_(std::move(schedule)),
      slots_(std::move(slots)),
      sink_(sink),
      pacer_(*this, waiter, slots_),
      watchdog_(*this, slots_, deadline_ns),
      drain_ns_(std::min(drain_ns, kForeverNs)),
      left_(schedule_.share(schedule_.calls)),
      origin_ns_(monotonic_ns()) {}

void Phase::await(int64_t delay_ns) {
  const int64_t until = monotonic_ns() + std::min(delay_ns, kForeverNs);
  foresee();
  for (int64_t rest = until - monotonic_ns(); rest > 0 && stops_.load() == 0 && !aborted_.load(); rest = until - monotonic_ns()) {
    runner_.park(rest);
  }
}

Tally Phase::run() {
  foresee();
  origin_ns_ = monotonic_ns();
  begin();
  watchdog_.begin();
  if (!await_over()) {
    cut_off();
  }
  pacer_.end();
  watchdog_.end();
  return tally();
}

void Phase::stop(int64_t drain_ns) {
  lower(drain_ns_, drain_ns);
  stops_.fetch_add(1);
  runner_.unpark();
}

void Phase::abort() {
  aborted_.store(true);
  runner_.unpark();
}

std::optional<int> Phase::idle_slots() const {
  ArrivalQueue* queue = asked_.load();
  return queue == nullptr ? std::nullopt : queue->idle_slots();
}

int64_t Phase::now_ns() const { return monotonic_ns() - origin_ns_; }

// Computes when the phase ends, once. A stop or an abort need not wait for it.
void Phase::foresee() {
  if (span_) return;
  span_ = Span::of(schedule_, [this] { return stops_.load() > 0 || aborted_.load(); });
  end_ns_.store(span_->window_ns);
}

// Starts the slots and the pacer.
void Phase::begin() {
  running_.store(static_cast<int>(slots_.size()) + 1);
  for (Slot* slot : slots_) {
    slot->enter(*this);
  }
  const auto retires = [this](Slot& slot) { retire(slot); };
  if (schedule_.open()) {
    queue_.emplace(schedule_, slots_, ArrivalQueue::Hooks{retires, [this] { pacer_.wake(); }});
    asked_.store(&*queue_);
  } else if (!schedule_.stages.empty()) {
    ramp_.emplace(schedule_, slots_, retires);
  }
  if (stops_.load() > 0 || aborted_.load()) {
    end_at(0);
  }
  pacer_.begin(queue_ ? &*queue_ : nullptr);
}

void Phase::leave() {
  if (running_.fetch_sub(1) <= 2) {
    pacer_.wake();
    runner_.unpark();
  }
}

// Takes a slot out, because it has no more calls to make.
void Phase::retire(Slot& slot) {
  if (slot.exit()) {
    leave();
  }
}

void Phase::proceed(Slot& slot) {
  if (!queue_) {
    bounce(slot);
    return;
  }
  slot.free_ns = now_ns();
  switch (queue_->take(slot)) {
    case NextStep::kCall:
      bounce(slot);
      break;
    case NextStep::kIdle:
      break;
    case NextStep::kOver:
      retire(slot);
  }
}

void Phase::make_call(Slot& slot) {
  const int64_t now = now_ns();
  switch (queue_ ? NextStep::kCall : begins(slot, now)) {
    case NextStep::kCall:
      slot.call(now);
      break;
    case NextStep::kIdle:
      break;
    case NextStep::kOver:
      retire(slot);
  }
}

// Decides whether a slot of a closed load may start a call now, and counts the call.
NextStep Phase::begins(Slot& slot, int64_t now) {
  if (now >= end_ns_.load()) return NextStep::kOver;
  if (ramp_) return ramp_->take(slot);
  return take_of_calls();
}

NextStep Phase::take_of_calls() {
  return schedule_.calls == 0 || left_.fetch_sub(1) > 0 ? NextStep::kCall : NextStep::kOver;
}

int64_t Phase::rest_of_ramp_ns() {
  const int64_t now = now_ns();
  const int64_t end = end_ns_.load();
  if (!ramp_ || (now >= end && ramp_->is_over())) return kForeverNs;
  return std::max<int64_t>(0, std::min(ramp_->rest_ns(now), end - now));
}

// Makes the next change of the ramp, or ends it.
void Phase::climb() {
  if (now_ns() >= end_ns_.load()) {
    ramp_->end();
  } else {
    ramp_->climb();
  }
}

// Waits until every slot is out and returns true; returns false at the end of the drain or after an abort.
bool Phase::await_over() {
  int64_t until = drained(span_->end_ns);
  int seen = 0;
  while (running_.load() > 0) {
    const int64_t now = now_ns();
    if (const int stops = stops_.load(); stops > seen) {
      seen = stops;
      if (goes_on(now)) {
        stopped_ns_ = now;
        end_at(now);
      }
      until = std::min(until, drained(now));
    }
    if (aborted_.load() || now >= until) return false;
    runner_.park(until - now);
  }
  return true;
}

// Returns when a schedule with that end has drained.
int64_t Phase::drained(int64_t end) const { return std::min(end, kForeverNs) + drain_ns_.load(); }

// Reports whether the schedule still has calls to come.
bool Phase::goes_on(int64_t now) {
  if (now >= end_ns_.load()) return false;
  return queue_ ? queue_->goes_on() : schedule_.calls == 0 || left_.load() > 0;
}

void Phase::end_at(int64_t now) {
  lower(end_ns_, now);
  if (queue_) queue_->end_at(now);
  if (ramp_) ramp_->end();
}

// Records unsent arrivals as UNSENT, cancels calls in flight, and gives up slots that don't return.
void Phase::cut_off() {
  const int64_t now = now_ns();
  end_at(now);
  if (queue_) {
    queue_->drop(now, [this, now](int64_t last, int64_t arrivals) {
      unsent_ += arrivals;
      Sample sample;
      sample.fate = Fate::kUnsent;
      sample.due_ns = last;
      sample.done_ns = now;
      sample.more = arrivals - 1;
      sink_.record(sample);
    });
  }
  watchdog_.cut();
  const int64_t until = now + kGraceNs;
  while (running_.load() > 0) {
    const int64_t rest = until - now_ns();
    if (rest <= 0) {
      for (Slot* slot : slots_) {
        slot->give_up(now_ns());
      }
      return;
    }
    runner_.park(rest);
  }
}

Tally Phase::tally() const {
  Tally sum;
  sum.arrivals = unsent_;
  for (const Slot* slot : slots_) {
    sum.arrivals += slot->arrivals;
    sum.elapsed_ns = std::max(sum.elapsed_ns, slot->last_ns);
    sum.late += slot->late;
  }
  const int64_t end = end_ns_.load();
  sum.window_ns = end < kForeverNs ? end : busy_ns();
  sum.stopped_ns = stopped_ns_;
  return sum;
}

// Estimates how long all calls would have taken if every slot had continued at its own pace.
int64_t Phase::busy_ns() const {
  double calls = 0;
  double per_ns = 0;
  for (const Slot* slot : slots_) {
    if (slot->last_ns > 0) {
      calls += static_cast<double>(slot->arrivals);
      per_ns += static_cast<double>(slot->arrivals) / static_cast<double>(slot->last_ns);
    }
  }
  return per_ns > 0 ? std::llround(calls / per_ns) : 0;
}

void Phase::record(const Slot& slot, Fate fate, int64_t sent_ns, int64_t done_ns, const stack::Failure* failure) {
  Sample sample;
  sample.fate = fate;
  sample.due_ns = queue_ ? slot.due_ns : sent_ns;  // in a closed load, a call is due when it is sent
  sample.sent_ns = sent_ns;
  sample.done_ns = done_ns;
  if (fate == Fate::kAnswered) {
    const int64_t free = queue_ ? slot.free_ns : sent_ns;
    sample.queue_ns = std::max<int64_t>(0, free - sample.due_ns);
    sample.wake_ns = sent_ns - std::max(sample.due_ns, free);
    sample.failure = failure;
  }
  sink_.record(sample);
}

}  // namespace rpcbench::load
