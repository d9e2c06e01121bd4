// The deterministic sequence of an open schedule's due times, specified by worker.v1 and identical in every language.
#pragma once

#include <cstddef>
#include <optional>

#include "load/schedule.h"
#include "payload/splitmix.h"

namespace rpcbench::load {

// A rate over time, read forwards.
class Curve {
 public:
  explicit Curve(std::vector<Stage> stages) : stages_(std::move(stages)) {}

  // Returns the time in ns at which count arrivals are expected; infinity if the rate ends at 0. Counts must not
  // decrease.
  double reach(double count);

 private:
  std::vector<Stage> stages_;
  std::size_t stage_ = 0;  // the current stage
  double began_ = 0;       // when the current stage began, in seconds
  double before_ = 0;      // arrivals before the current stage
};

class Arrivals {
 public:
  explicit Arrivals(const Schedule& schedule);

  // Returns the next due time of this part in ns; nothing after the last.
  std::optional<int64_t> next();

  // Returns the number of the arrival that next returned last, from 0, over all parts.
  int64_t number() const { return index_ - 1; }

  // Returns when arrival i is due, in ns, if gaps are not random: with stages, when i arrivals are expected. Numbers must
  // not decrease.
  double regular(int64_t i);

 private:
  std::optional<int64_t> following();
  double random();
  double exponential();

  Schedule schedule_;
  payload::SplitMix random_;
  Curve curve_;
  int64_t index_ = 0;
  double total_ = 0;  // time of a unit-rate process
  double at_ns_ = 0;  // floating-point, so that rounding errors do not add up over a long run
};

}  // namespace rpcbench::load
