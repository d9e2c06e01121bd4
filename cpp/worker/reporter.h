// Sends the Intervals of a phase.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "control/pipe.h"
#include "load/slot_pool.h"
#include "record/recorder.h"

namespace rpcbench::worker {

// Runs on its own thread, which neither makes nor paces calls.
class Reporter {
 public:
  struct Config {
    int64_t length_ns = 0;       // of an interval
    bool histograms = false;     // also sends the histograms of the quantiles
    std::vector<int64_t> edges;  // where windows end, in addition to every second
  };

  Reporter(const load::SlotPool& pool, record::Recorder& recorder, control::EventWriter& events, Config config);

  // Starts with the phase.
  void begin();

  // Sends the last interval, when nothing is recorded any more.
  void end();

 private:
  void report();
  bool wait_until(int64_t ns);
  int64_t edge_ns() const;
  int64_t now_ns() const;
  void tick(bool ends);

  const load::SlotPool& pool_;
  record::Recorder& recorder_;
  control::EventWriter& events_;
  const Config config_;
  std::size_t edge_ = 0;  // the next of these
  int64_t begun_ns_ = 0;
  int64_t interval_ns_ = 0;  // when the current interval began, since the start of the phase
  int64_t window_ns_ = 0;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace rpcbench::worker
