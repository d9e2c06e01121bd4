// When calls are due.
#pragma once

#include <cstdint>
#include <vector>

namespace rpcbench::load {

inline constexpr int64_t kForeverNs = INT64_C(100) * 365 * 24 * 3600 * 1'000'000'000;

// A load that changes linearly: arrivals per second, or slots that make calls, of all parts together.
struct Stage {
  double from = 0;
  double to = 0;
  int64_t length_ns = 0;

  double seconds() const { return static_cast<double>(length_ns) / 1e9; }
  double arrivals() const { return (from + to) / 2 * seconds(); }
  // Returns the time in seconds until the stage has had count arrivals.
  double within(double count) const;
};

// A rate of zero is a closed load: calls are due when a slot is free. A schedule ends after a duration (arrivals are
// due in [0, duration)) or a number of calls. Zero means no limit; with neither, only a stop ends it.
struct Schedule {
  double per_sec = 0;  // mean arrivals per second of all parts together; 0 is a closed load
  bool poisson = false;
  uint64_t seed = 0;  // for exponential gaps
  int64_t duration_ns = 0;
  int64_t calls = 0;
  // The share of this worker, if several make the load together: arrivals of an open load, or calls of a closed one,
  // are assigned to the parts in turn.
  int64_t part = 0;
  int64_t parts = 1;
  // Change the load over time: the rate of an open load, whose mean is per_sec, or the number of slots that make calls
  // in a closed one. The final value continues after the last stage.
  std::vector<Stage> stages;

  bool open() const { return per_sec > 0; }

  // Returns this part's share of n items that are assigned in turn.
  int64_t share(int64_t n) const { return (n + parts - 1 - part) / parts; }

  // Returns this part's last number below n if they are assigned in turn; negative if it has none.
  int64_t last(int64_t n) const { return part + (share(n) - 1) * parts; }

  // Returns the maximum number of calls that this part of a closed load with stages has in flight.
  int64_t max_in_flight() const;
};

}  // namespace rpcbench::load
