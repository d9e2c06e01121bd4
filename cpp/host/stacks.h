// Call stacks of threads, taken by signals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rpcbench::host {

// Returns the state of every thread: a line with its number, name and state, followed by its functions.
std::string thread_dump();

// Thins out samples, which are numbered from 0, so that there is always a place for them. When all places are taken, every second
// sample is no longer kept: from then on half as many are, in the places of the others.
class Thinning {
 public:
  // The number of places must be even.
  explicit constexpr Thinning(int64_t places) : places_(places) {}

  constexpr int64_t places() const { return places_; }

  // Returns which of the first count samples are kept: multiples of what it returns.
  int64_t step(int64_t count) const;

  // Returns the place of a sample among those so far; nothing if it is not kept.
  std::optional<int64_t> place(int64_t sample) const;

 private:
  const int64_t places_;
};

// Samples running threads, a hundred times per second of CPU time, until end. Of a long profile one sample in two, four, and so on
// is kept, and counts for as many. Only one profile may run at a time.
class Profile {
 public:
  Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  ~Profile();

  // Returns the samples in flame-graph format, "function;function;function count", outermost first, below the name of
  // the thread. If no thread ran, it returns one line that says so.
  std::string end();

 private:
  bool running_ = true;
};

}  // namespace rpcbench::host
