// The Sink of a client's phases.
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

// Numbers of completed calls.
struct Counts {
  int64_t ok = 0;
  int64_t errors = 0;  // including unsent and unfinished ones
  double logs = 0;     // sum of the logarithms of OK calls' response times in ns

  // Returns the geometric mean of OK calls' response times in ns; 0 without such calls.
  int64_t response_mean_ns() const;
};

// Summarizes a histogram, in ns. All values are 0 if it is empty.
struct Quantiles {
  int64_t calls = 0;
  int64_t p50_ns = 0;
  int64_t p90_ns = 0;
  int64_t p99_ns = 0;
  int64_t max_ns = 0;

  static Quantiles of(const Histogram& h);
};

// The number of calls with one code.
struct Outcome {
  std::string code;
  int64_t calls = 0;
  std::string example;  // first error message
};

// All that was recorded. It refers to the recorder's histograms, so it is valid until the next phase.
struct Summary {
  std::vector<Outcome> outcomes;  // by code; only those that occurred
  int64_t ok = 0;
  int64_t clamped = 0;
  Set::Named histograms;
  const std::vector<Window>* windows = nullptr;
};

// The samples that some of the threads recorded. Safe for concurrent use.
class alignas(64) Shard {
 public:
  void begin(bool open);
  void add(const load::Sample& sample);
  void add_bound(const load::Sample& sample);
  // Returns true for the first error with its code in this shard.
  bool add_error(const load::Sample& sample);
  void add_to(Counts& counts);
  int64_t calls(stack::Code code);
  // Replaces the set by an empty one and returns the full one.
  std::unique_ptr<Set> swap(std::unique_ptr<Set> empty);

 private:
  // What an OK call changes comes first, on one cache line: the last is calls_[0].
  std::mutex mutex_;
  std::unique_ptr<Set> set_ = std::make_unique<Set>();
  double product_ = 1;  // a logarithm per call would take as long as everything else
  std::array<int64_t, stack::kCodes> calls_ = {};
  int64_t lost_ = 0;  // unsent and unfinished
  double logs_ = 0;   // sum of the logarithms of OK calls' response times in ns, except those in product_
};

// record is safe for concurrent use with all methods; the other methods are for one thread. Memory is allocated on
// construction, so that no phase pays for it, except for windows that no earlier phase had. It does not grow during a
// phase.
class Recorder final : public load::Sink {
 public:
  // Makes a recorder with a number of shards; twice the number of processors is plenty.
  explicit Recorder(std::size_t shards) : shards_(shards) {}

  // Starts a phase, after the last sample of the previous one was recorded, and discards the previous summary. If open,
  // it records service, wake and queue in addition to response. It keeps at most the given number of windows; 0 keeps
  // none. If there are edges, windows begin only at edges.
  void begin(bool open, std::size_t windows, std::vector<int64_t> edges);

  // Takes a lock that few threads want, and updates one histogram, or four in an open load. It allocates only for the
  // first error of each code.
  void record(const load::Sample& sample) override;

  // Returns the counts since the previous tick.
  Counts tick();

  // Ends the current window and returns its response times, valid until the next call.
  const Histogram& end_window(int64_t end_ns);

  // Summarizes the windows that have ended. Call it after the last end_window, when nothing is recorded any more.
  Summary summary();

 private:
  void add_outcomes(Summary& summary);

  std::vector<Shard> shards_;
  std::unique_ptr<Set> spare_ = std::make_unique<Set>();  // empty, to be swapped in
  Set window_;                                            // the merged samples of the last window
  Set total_;
  Series series_;
  std::mutex mutex_;
  std::array<std::string, stack::kCodes> examples_;  // by code; guarded by mutex_
  std::atomic<int64_t> unsent_ = 0;
  std::atomic<int64_t> unfinished_ = 0;
  int64_t window_ns_ = 0;  // when the current window began
  Counts seen_;            // at the last tick
};

}  // namespace rpcbench::record
