// When calls are due.
#pragma once

#include <cstdint>
#include <vector>

namespace rpcbench::load {

inline constexpr int64_t kForeverNs = INT64_C(100) * 365 * 24 * 3600 * 1'000'000'000;

// A load that goes in a line from one value to another: arrivals per second, or slots that make calls, of the whole
// worker.
struct Stage {
  double from = 0;
  double to = 0;
  int64_t length_ns = 0;

  double seconds() const { return static_cast<double>(length_ns) / 1e9; }
  double arrivals() const { return (from + to) / 2 * seconds(); }
  // How many seconds of the stage have so many arrivals.
  double within(double count) const;
};

// The zero rate is a closed load: calls are due when a slot is free. A schedule ends after a duration (arrivals are due
// in [0, duration)) or a number of calls; zero is no limit, and with neither it ends by stop only.
struct Schedule {
  double per_sec = 0;  // mean arrivals per second of the whole worker; 0 is closed
  bool poisson = false;
  uint64_t seed = 0;  // of the exponential gaps
  int64_t duration_ns = 0;
  int64_t calls = 0;
  // Of the parts that several workers make together: of an open load the arrivals, of a closed one the calls are dealt
  // to them one by one.
  int64_t part = 0;
  int64_t parts = 1;
  // Change the load over time: of an open one the rate, whose mean is per_sec; of a closed one how many slots make
  // calls. Behind the last its end's value goes on.
  std::vector<Stage> stages;

  bool open() const { return per_sec > 0; }

  // How many of n that are dealt one by one are the part's.
  int64_t share(int64_t n) const { return (n + parts - 1 - part) / parts; }

  // How many calls the part's stages of a closed load have in flight at the most.
  int64_t most_in_flight() const;

  // How long arrivals are due: the duration, or of an open load with a number of calls until one more would be; or for
  // ever.
  int64_t window_ns() const;

  // When the last call is due: after its duration, or with the last of an open load's calls; else far away.
  int64_t end_ns() const;
};

}  // namespace rpcbench::load
