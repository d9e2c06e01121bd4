// The histograms of a set of samples.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "load/sink.h"
#include "record/histogram.h"

namespace rpcbench::record {

// A closed load has only response, bound and error. The bounds of arrivals that were never answered are in response too.
class alignas(64) Set {
 public:
  using Named = std::vector<std::pair<std::string_view, const Histogram*>>;

  // Starts a phase with an open or closed load, and discards the previous one.
  void begin(bool open);

  // Add an OK call; arrivals that were never answered; a failed call.
  void add(const load::Sample& sample);
  void add_bound(const load::Sample& sample);
  void add_error(const load::Sample& sample);

  // Adds another set's samples; both must be of the same load.
  void merge(const Set& other);
  void reset();

  const Histogram& response() const { return all_[kResponse]; }
  int64_t clamped() const { return clamped_; }  // samples out of range, recorded as the nearest limit

  // Returns the histograms in the order of their names in results. bound and error are included only if there are some.
  Named named() const;

 private:
  enum Which : std::size_t { kResponse, kService, kWake, kQueue, kBound, kError, kAll };

  void put(Which which, int64_t ns, int64_t times);

  bool open_ = false;
  int64_t clamped_ = 0;
  std::array<Histogram, kAll> all_;  // by Which; the first shares a cache line with the fields above
};

}  // namespace rpcbench::record
