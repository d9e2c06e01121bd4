#include "load/slot_pool.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

namespace rpcbench::load {

SlotPool::SlotPool(const std::vector<stack::Caller*>& callers, int64_t deadline_ns) : deadline_ns_(deadline_ns) {
  slots_.reserve(callers.size());
  for (stack::Caller* caller : callers) {
    slots_.push_back(std::make_unique<Slot>(size(), *caller));
  }
}

int SlotPool::in_flight() const {
  Phase* phase = phase_.load();
  if (const std::optional<int> idle = phase == nullptr ? std::nullopt : phase->idle_slots()) {
    return size() - *idle;
  }
  return static_cast<int>(
      std::count_if(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->in_flight(); }));
}

bool SlotPool::has_lost() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) { return !slot->is_out(); });
}

Phase& SlotPool::begin(const Schedule& schedule, int64_t drain_ns, Sink& sink) {
  std::vector<Slot*> slots;
  slots.reserve(slots_.size());
  for (const auto& slot : slots_) {
    if (!slot->is_out()) {
      throw std::runtime_error("slot " + std::to_string(slot->index()) +
                               " has not returned from a call of the previous phase");
    }
    slots.push_back(slot.get());
  }
  phases_.push_back(std::make_unique<Phase>(schedule, std::move(slots), waiter_, deadline_ns_, drain_ns, sink));
  phase_.store(phases_.back().get());
  return *phases_.back();
}

}  // namespace rpcbench::load
