// A histogram of nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rpcbench::record {

// Gil Tene's HdrHistogram of the one range and precision that all of rpcbench uses: 1 ns to 1 h, 3 significant digits,
// which takes 270 kB. Debian has no package of HdrHistogram_c.
class Histogram {
 public:
  static constexpr int64_t kHighestNs = INT64_C(3600) * 1'000'000'000;

  Histogram();

  // Records a time so many times. One beyond the range is recorded as its end, and true returned.
  bool record(int64_t ns, int64_t times = 1);

  void add(const Histogram& other);
  void reset();

  int64_t count() const { return count_; }

  // The largest value that is not told from the one at the quantile, 0 to 1; 0 when it is empty.
  int64_t quantile(double q) const;

  // In HdrHistogram's V2 compressed format, which its libraries in all languages read.
  std::string encode() const;

 private:
  std::vector<int64_t> counts_;
  int64_t count_ = 0;
  std::size_t used_ = 0;  // counts from here on are 0
};

}  // namespace rpcbench::record
