#include "record/set.h"

namespace rpcbench::record {

void Set::begin(bool open) {
  reset();
  open_ = open;
}

void Set::add(const load::Sample& sample) {
  put(kResponse, sample.done_ns - sample.due_ns, 1);
  if (open_) {
    put(kService, sample.done_ns - sample.sent_ns, 1);
    put(kWake, sample.wake_ns, 1);
    put(kQueue, sample.queue_ns, 1);
  }
}

void Set::add_bound(const load::Sample& sample) {
  put(kResponse, sample.done_ns - sample.due_ns, 1 + sample.more);
  all_[kBound].record(sample.done_ns - sample.due_ns, 1 + sample.more);  // clamped is counted once
}

void Set::add_error(const load::Sample& sample) { put(kError, sample.done_ns - sample.due_ns, 1); }

void Set::put(Which which, int64_t ns, int64_t times) {
  if (all_[which].record(ns, times)) {
    clamped_ += times;
  }
}

void Set::merge(const Set& other) {
  clamped_ += other.clamped_;
  for (std::size_t i = 0; i < kAll; ++i) {
    all_[i].add(other.all_[i]);
  }
}

void Set::reset() {
  clamped_ = 0;
  for (Histogram& histogram : all_) {
    histogram.reset();
  }
}

Set::Named Set::named() const {
  Named named;
  if (all_[kBound].count() > 0) named.emplace_back("bound", &all_[kBound]);
  if (all_[kError].count() > 0) named.emplace_back("error", &all_[kError]);
  if (open_) named.emplace_back("queue", &all_[kQueue]);
  named.emplace_back("response", &all_[kResponse]);
  if (open_) {
    named.emplace_back("service", &all_[kService]);
    named.emplace_back("wake", &all_[kWake]);
  }
  return named;
}

}  // namespace rpcbench::record
