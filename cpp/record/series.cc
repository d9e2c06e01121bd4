#include "record/series.h"

#include <utility>

namespace rpcbench::record {

void Series::begin(std::size_t max_windows, std::vector<int64_t> edges) {
  max_windows_ = max_windows;
  edges_ = std::move(edges);
  passed_ = 0;
  for (Window& window : kept_) {
    retire(window);
  }
  kept_.clear();
  width_ = 1;
  pending_ = 0;
  while (max_windows > 0 && spare_.size() <= max_windows) {
    spare_.push_back(std::make_unique<Histogram>());
  }
}

void Series::retire(Window& window) {
  window.response->reset();
  spare_.push_back(std::move(window.response));
}

void Series::add(int64_t start_ns, int64_t end_ns, const Histogram& response) {
  if (max_windows_ == 0 || (response.count() == 0 && kept_.empty() && end_ns == start_ns)) return;
  const bool begins = begins_stretch(start_ns);
  if (!begins || (pending_ > 0 && pending_ < width_)) {
    kept_.back().end_ns = end_ns;
    kept_.back().response->add(response);
    pending_ += begins ? 1 : 0;
    return;
  }
  std::unique_ptr<Histogram> copy = std::move(spare_.back());
  spare_.pop_back();
  copy->add(response);
  kept_.push_back({start_ns, end_ns, std::move(copy)});
  pending_ = 1;
  if (kept_.size() > max_windows_) {
    halve();
  }
}

// Reports whether a window begins a stretch, and skips the edges before it. Without edges, each window does.
bool Series::begins_stretch(int64_t start_ns) {
  const std::size_t before = passed_;
  while (passed_ < edges_.size() && edges_[passed_] <= start_ns) {
    ++passed_;
  }
  return edges_.empty() || passed_ > before || kept_.empty();
}

// Merges neighboring windows. An odd last window waits for its neighbor.
void Series::halve() {
  std::vector<Window> merged;
  for (std::size_t i = 0; i + 1 < kept_.size(); i += 2) {
    Window& next = kept_[i + 1];
    kept_[i].end_ns = next.end_ns;
    kept_[i].response->add(*next.response);
    retire(next);
    merged.push_back(std::move(kept_[i]));
  }
  if (kept_.size() % 2 == 1) {
    merged.push_back(std::move(kept_.back()));
  } else {
    pending_ += width_;
  }
  width_ *= 2;
  kept_ = std::move(merged);
}

}  // namespace rpcbench::record
