#include "load/ramp.h"

#include <algorithm>
#include <utility>

#include "load/trampoline.h"

namespace rpcbench::load {

Ramp::Ramp(const Schedule& schedule, std::vector<Slot*> slots, std::function<void(Slot&)> retire)
    : schedule_(schedule),
      levels_(schedule.stages),
      slots_(std::move(slots)),
      retire_(std::move(retire)),
      level_(schedule.share(levels_.level())),
      idle_(slots_.size(), false) {
  more_ = levels_.next();
}

NextStep Ramp::take(Slot& slot) {
  if (slot.index() < level_.load()) return NextStep::kCall;
  const std::lock_guard lock(mutex_);
  if (over_) return NextStep::kOver;
  if (slot.index() < level_.load()) return NextStep::kCall;
  idle_[static_cast<std::size_t>(slot.index())] = true;
  return NextStep::kIdle;
}

int64_t Ramp::rest_ns(int64_t now) const { return more_ ? std::max<int64_t>(0, levels_.at_ns() - now) : kForeverNs; }

void Ramp::climb() {
  const int64_t to = schedule_.share(levels_.level());
  const auto slots = static_cast<int64_t>(slots_.size());
  const int64_t was = std::min(level_.load(), slots);
  {
    const std::lock_guard lock(mutex_);
    level_.store(to);
  }
  for (int64_t i = was; i < std::min(to, slots); ++i) {
    if (wakes(static_cast<std::size_t>(i))) {
      bounce(*slots_[static_cast<std::size_t>(i)]);
    }
  }
  more_ = levels_.next();
}

bool Ramp::wakes(std::size_t slot) {
  const std::lock_guard lock(mutex_);
  const bool was = idle_[slot];
  idle_[slot] = false;
  return was;
}

bool Ramp::is_over() {
  const std::lock_guard lock(mutex_);
  return over_;
}

void Ramp::end() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  for (std::size_t i = 0; i < idle_.size(); ++i) {
    if (idle_[i]) {
      idle_[i] = false;
      retire_(*slots_[i]);
    }
  }
}

}  // namespace rpcbench::load
