// Keeps the windows of a phase of any length in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "record/histogram.h"

namespace rpcbench::record {

// The responses of a part of a phase.
struct Window {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::unique_ptr<Histogram> response;
};

// When there are more than most, neighbors merge and later windows are kept twice as long. With edges the windows from
// one to the next count as one.
class Series {
 public:
  // Begins a phase of at most so many windows, 0 for none; nothing of the one before is left. It takes all its memory
  // at once, as far as no phase has before.
  void begin(std::size_t most, std::vector<int64_t> edges);

  // Adds a window, whose response is copied. One that is over as it begins, and holds nothing, is left out.
  void add(int64_t start_ns, int64_t end_ns, const Histogram& response);

  const std::vector<Window>& kept() const { return kept_; }

 private:
  bool begins_stretch(int64_t start_ns);
  void retire(Window& window);
  void halve();

  std::size_t most_ = 0;
  std::vector<int64_t> edges_;
  std::size_t passed_ = 0;  // of the edges
  int64_t width_ = 1;       // how many added windows, or stretches between edges, make a kept one
  int64_t pending_ = 0;     // how many the last kept one has so far
  std::vector<Window> kept_;
  std::vector<std::unique_ptr<Histogram>> spare_;  // empty, for windows to come
};

}  // namespace rpcbench::record
