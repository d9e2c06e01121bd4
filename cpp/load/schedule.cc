#include "load/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rpcbench::load {

// Solves from·t + slope·t²/2 = count for t, in the form that avoids cancellation.
double Stage::within(double count) const {
  if (count <= 0) return 0;
  const double slope = (to - from) / seconds();
  return 2 * count / (from + std::sqrt(std::max(from * from + 2 * slope * count, 0.0)));
}

int64_t Schedule::max_in_flight() const {
  double max = 0;
  for (const Stage& stage : stages) {
    max = std::max({max, stage.from, stage.to});
  }
  return share(static_cast<int64_t>(std::ceil(std::min<double>(max, std::numeric_limits<int32_t>::max()))));
}

}  // namespace rpcbench::load
