// The histograms of some samples, for one phase after another.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "load/sink.h"
#include "record/histogram.h"

namespace rpcbench::record {

// A closed load has a response only, beside errors.
class Set {
 public:
  using Named = std::vector<std::pair<std::string_view, const Histogram*>>;

  // Begins a phase, whose load is open or not; nothing of the one before is left.
  void begin(bool open);

  // Takes an OK call; arrivals that were never answered; a failed call.
  void add(const load::Sample& sample);
  void add_bound(const load::Sample& sample);
  void add_error(const load::Sample& sample);

  // Adds other's samples; both are of the same load.
  void merge(const Set& other);
  void reset();

  const Histogram& response() const { return all_[kResponse]; }
  int64_t clamped() const { return clamped_; }  // samples beyond the range, recorded as its end

  // The histograms by their names in results, in the order of these. Errors have theirs where there are some.
  Named named() const;

 private:
  enum Which : std::size_t { kError, kQueue, kResponse, kService, kWake, kAll };

  void put(Which which, int64_t ns, int64_t times);

  std::array<Histogram, kAll> all_;
  bool open_ = false;
  int64_t clamped_ = 0;
};

}  // namespace rpcbench::record
