#include "load/pacer.h"

#include <pthread.h>

#include "load/arrival_queue.h"
#include "load/phase.h"
#include "load/trampoline.h"

namespace rpcbench::load {

void Pacer::begin(ArrivalQueue* queue) {
  queue_ = queue;
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "rpcbench-pacer");
}

void Pacer::end() {
  ended_.store(true);
  wake();
  thread_.join();
}

void Pacer::resume(Slot& slot) {
  {
    const std::lock_guard lock(mutex_);
    resumed_.push_back(&slot);
    resumes_.store(true);
  }
  wake();
}

Slot* Pacer::resumed() {
  if (!resumes_.load()) return nullptr;
  const std::lock_guard lock(mutex_);
  if (resumed_.empty()) {
    resumes_.store(false);
    return nullptr;
  }
  Slot* slot = resumed_.front();
  resumed_.pop_front();
  return slot;
}

void Pacer::run() {
  if (queue_ == nullptr) {
    for (Slot* slot : slots_) {
      bounce(*slot);
    }
  }
  while (!phase_.slots_are_out() && !ended_.load()) {
    step();
  }
  phase_.leave();
}

// Does the next piece of work, or waits for it.
void Pacer::step() {
  if (Slot* slot = resumed()) {
    phase_.proceed(*slot);
    return;
  }
  if (queue_ == nullptr) {
    step_closed();
    return;
  }
  const int64_t now = phase_.now_ns();
  const int64_t rest = queue_->rest_ns(now);
  if (rest == 0) {
    if (Slot* slot = queue_->deal(now)) {  // null if a slot that became free was faster
      bounce(*slot);
    }
  } else {
    approach(rest, parker_, waiter_);  // forever: until a slot is idle or all are out
  }
}

// Follows the ramp, if any, or waits for it.
void Pacer::step_closed() {
  const int64_t rest = phase_.rest_of_ramp_ns();
  if (rest == 0) {
    phase_.climb();
  } else {
    parker_.park(rest);
  }
}

}  // namespace rpcbench::load
