// A histogram of nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rpcbench::record {

// Gil Tene's HdrHistogram with the range and precision used throughout rpcbench: 1 ns to 1 h, 3 significant digits,
// which takes 270 kB. Debian has no package of HdrHistogram_c.
class Histogram {
 public:
  static constexpr int64_t kHighestNs = INT64_C(3600) * 1'000'000'000;

  Histogram();

  // Records a value a number of times. A value out of range is recorded as the nearest limit; then it returns true.
  bool record(int64_t ns, int64_t times = 1);

  void add(const Histogram& other);
  void reset();

  int64_t count() const { return count_; }

  // Returns the largest value that the histogram can't distinguish from the one at quantile q, from 0 to 1; 0 if it is
  // empty.
  int64_t quantile(double q) const;

  // Encodes the histogram in HdrHistogram's V2 compressed format, which its libraries in all languages read.
  std::string encode() const;

 private:
  std::vector<int64_t> counts_;
  int64_t count_ = 0;
  std::size_t used_ = 0;  // all counts from here on are 0
};

}  // namespace rpcbench::record
