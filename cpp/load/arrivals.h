// The pure sequence of an open schedule's due times, which worker.v1 specifies: alike in every language.
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

  // Returns when so many arrivals are expected, in ns; infinity where the rate has ended at 0. Counts must not go down.
  double reach(double count);

 private:
  std::vector<Stage> stages_;
  std::size_t stage_ = 0;  // that was reached
  double began_ = 0;       // when it began, in seconds
  double before_ = 0;      // arrivals before it
};

class Arrivals {
 public:
  explicit Arrivals(const Schedule& schedule);

  // The part's following due time in ns; nothing after the last.
  std::optional<int64_t> next();

  // The last due time; it uses up the sequence.
  int64_t last();

 private:
  std::optional<int64_t> following();
  double expected();
  double exponential();

  Schedule schedule_;
  payload::SplitMix random_;
  Curve curve_;
  int64_t index_ = 0;
  double total_ = 0;  // of a process with the rate 1
  double at_ns_ = 0;  // a floating number, so that rounding does not add up over a long run
};

}  // namespace rpcbench::load
