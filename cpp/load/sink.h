// Where samples go.
#pragma once

#include <cstdint>

#include "stack/code.h"

namespace rpcbench::load {

// How an arrival ended: answered (well or with an error), due and never sent, or sent and never answered before the
// drain ended.
enum class Fate : uint8_t { kAnswered, kUnsent, kUnfinished };

// One arrival's story, in ns since the phase began. Response time, what the user waits for, is done − due. Service time
// is done − sent. The lag between due and sent is queue (no slot was free) and then wake (a slot was free: the
// instrument's fault). In a closed load due is sent, and both lags are zero.
struct Sample {
  Fate fate = Fate::kAnswered;
  int64_t due_ns = 0;
  int64_t sent_ns = 0;  // 0 when unsent
  int64_t done_ns = 0;  // when it was given up, where fate is not kAnswered: done − due is then a lower bound
  int64_t queue_ns = 0;
  int64_t wake_ns = 0;
  int64_t more = 0;  // arrivals that were unsent as it, and due at most a thousandth of done − due earlier
  const stack::Failure* failure = nullptr;  // of an answered call; null is success
};

class Sink {
 public:
  virtual ~Sink() = default;

  // Takes a sample. All slots call it concurrently, on the threads that complete calls: it must not block.
  virtual void record(int slot, const Sample& sample) = 0;
};

// Sums up a phase.
struct Tally {
  int64_t arrivals = 0;    // due in the window; exactly as many samples went to the Sink
  int64_t elapsed_ns = 0;  // until the last call was done or given up
  // How long calls were due. A closed load that ends after a number of calls falls off slot by slot: its window is how
  // long its calls would have taken had every slot gone on as it did until its last call was done.
  int64_t window_ns = 0;
  int64_t late = 0;        // OK calls that were done after the window
  int64_t stopped_ns = 0;  // when a stop ended the schedule, which is its window then; 0 where none did
};

}  // namespace rpcbench::load
