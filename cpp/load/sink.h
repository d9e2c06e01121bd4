// Receives samples.
#pragma once

#include <cstdint>

#include "stack/code.h"

namespace rpcbench::load {

// How an arrival ended: answered (successfully or with an error), due but never sent, or sent but not answered before
// the drain ended.
enum class Fate : uint8_t { kAnswered, kUnsent, kUnfinished };

// The history of an arrival, in ns since the phase began. Response time, which users see, is done − due. Service time
// is done − sent. The lag between due and sent is queue (no slot was free) and then wake (a slot was free, so the lag
// is the tool's own). In a closed load due equals sent, and both lags are zero.
struct Sample {
  Fate fate = Fate::kAnswered;
  int64_t due_ns = 0;
  int64_t sent_ns = 0;  // 0 if unsent
  int64_t done_ns = 0;  // when it was given up, if fate is not kAnswered: done − due is then a lower bound
  int64_t queue_ns = 0;
  int64_t wake_ns = 0;
  int64_t more = 0;  // further arrivals that were also unsent, and due at most a thousandth of done − due earlier
  const stack::Failure* failure = nullptr;  // of an answered call; null if it succeeded
};

class Sink {
 public:
  virtual ~Sink() = default;

  // Takes a sample. Slots call it concurrently, on the threads that complete calls, so it must not block.
  virtual void record(const Sample& sample) = 0;
};

// The totals of a phase.
struct Tally {
  int64_t arrivals = 0;    // due in the window; as many samples went to the Sink
  int64_t elapsed_ns = 0;  // until the last call was done or given up
  // How long calls were due. In a closed load with a number of calls, slots finish one by one: its window is the time
  // that its calls would have taken if every slot had continued at its own pace.
  int64_t window_ns = 0;
  int64_t late = 0;        // OK calls that ended after the window
  int64_t stopped_ns = 0;  // when a stop ended the schedule and thus its window; 0 if none did
};

}  // namespace rpcbench::load
