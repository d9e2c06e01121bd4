// The Sink of one phase after another.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "load/sink.h"
#include "record/series.h"
#include "record/set.h"
#include "stack/code.h"

namespace rpcbench::record {

// Calls that are done.
struct Counts {
  int64_t ok = 0;
  int64_t errors = 0;  // unsent and unfinished ones too
  double logs = 0;     // the logarithms of OK calls' responses in ns, added up

  // The geometric mean of the responses of OK calls, in ns; 0 where there is none.
  int64_t response_mean_ns() const;
};

// Sums up a histogram, in ns. All are 0 when it is empty.
struct Quantiles {
  int64_t calls = 0;
  int64_t p50_ns = 0;
  int64_t p90_ns = 0;
  int64_t p99_ns = 0;
  int64_t max_ns = 0;

  static Quantiles of(const Histogram& h);
};

// Counts the calls of one code.
struct Outcome {
  std::string code;
  int64_t calls = 0;
  std::string example;  // the first error message
};

// Everything that was recorded. It shows the recorder's own histograms, until the next phase.
struct Summary {
  std::vector<Outcome> outcomes;  // by code; what did not occur is left out
  int64_t ok = 0;
  int64_t clamped = 0;
  Set::Named histograms;
  const std::vector<Window>* windows = nullptr;
};

// What some of the slots recorded. Its methods may be called concurrently.
class alignas(64) Shard {
 public:
  void begin(bool open);
  void add(const load::Sample& sample);
  void add_bound(const load::Sample& sample);
  // Reports whether it is the first of its code here.
  bool add_error(const load::Sample& sample);
  void add_to(Counts& counts);
  int64_t calls(stack::Code code);
  // Goes on with an empty set, and returns the full one.
  std::unique_ptr<Set> swap(std::unique_ptr<Set> empty);

 private:
  std::mutex mutex_;
  std::array<int64_t, stack::kCodes> calls_ = {};
  int64_t lost_ = 0;    // unsent and unfinished
  double logs_ = 0;     // of OK calls' responses in ns, added up, but for those in the product
  double product_ = 1;  // a logarithm for each call would take as long as all the rest
  std::unique_ptr<Set> set_ = std::make_unique<Set>();
};

// record may be called concurrently with everything; the other methods are for one thread. Its memory is taken when it
// is made, so that no phase pays for it, but for windows that no phase before had. It does not grow with a phase.
class Recorder final : public load::Sink {
 public:
  // Makes a recorder of so many shards; twice the processors is plenty. Phases begin by begin.
  explicit Recorder(std::size_t shards) : shards_(shards) {}

  // Begins a phase, when nothing of the one before is recorded any more. That one's summary is lost. Open keeps
  // service, wake and queue beside response; at most so many windows are kept, 0 for none, which begin at edges only,
  // where there are some.
  void begin(bool open, std::size_t windows, std::vector<int64_t> edges);

  // Costs an uncontended lock and one histogram entry, four in an open load, and allocates for the first error of a
  // code only.
  void record(int slot, const load::Sample& sample) override;

  // What was done since the tick before.
  Counts tick();

  // Closes the window that began when the last one ended, or with the phase, and returns its responses, good until the
  // next.
  const Histogram& end_window(int64_t end_ns);

  // Sums up the windows that have ended: call it after the last end_window, when nothing is recorded any more.
  Summary summary();

 private:
  void add_outcomes(Summary& summary);

  std::vector<Shard> shards_;
  std::unique_ptr<Set> spare_ = std::make_unique<Set>();  // empty, to be swapped in
  Set window_;                                            // what the shards held, merged, when the last window ended
  Set total_;
  Series series_;
  std::mutex mutex_;
  std::array<std::string, stack::kCodes> examples_;  // by code; guarded
  std::atomic<int64_t> unsent_ = 0;
  std::atomic<int64_t> unfinished_ = 0;
  int64_t window_ns_ = 0;  // when the open window began
  Counts seen_;            // by the last tick
};

}  // namespace rpcbench::record
