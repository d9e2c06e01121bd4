// Keeps the windows of a phase of any length in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "record/histogram.h"

namespace rpcbench::record {

// The response times of a part of a phase.
struct Window {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::unique_ptr<Histogram> response;
};

// When there are more than the maximum, neighboring windows are merged and later ones last twice as long. With edges,
// the windows from one edge to the next count as one.
class Series {
 public:
  // Starts a phase with at most max_windows windows, 0 for none, and discards the previous one. It allocates all its
  // memory here, unless an earlier phase did.
  void begin(std::size_t max_windows, std::vector<int64_t> edges);

  // Adds a window and copies its response times. An empty window of no duration is ignored.
  void add(int64_t start_ns, int64_t end_ns, const Histogram& response);

  const std::vector<Window>& kept() const { return kept_; }

 private:
  bool begins_stretch(int64_t start_ns);
  void retire(Window& window);
  void halve();

  std::size_t max_windows_ = 0;
  std::vector<int64_t> edges_;
  std::size_t passed_ = 0;  // edges passed so far
  int64_t width_ = 1;       // number of added windows, or stretches between edges, per kept window
  int64_t pending_ = 0;     // number of these in the last kept window
  std::vector<Window> kept_;
  std::vector<std::unique_ptr<Histogram>> spare_;  // empty, for later windows
};

}  // namespace rpcbench::record
