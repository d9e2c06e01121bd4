#include "load/arrivals.h"

#include <cmath>
#include <limits>

namespace rpcbench::load {
namespace {

constexpr double kSecondNs = 1e9;

}  // namespace

double Curve::reach(double count) {
  for (; stage_ < stages_.size(); ++stage_) {
    const Stage& now = stages_[stage_];
    const double all = now.arrivals();
    if (count - before_ < all) {
      return (began_ + now.within(count - before_)) * kSecondNs;
    }
    began_ += now.seconds();
    before_ += all;
  }
  const double last = stages_.back().to;
  return last <= 0 ? std::numeric_limits<double>::infinity() : (began_ + (count - before_) / last) * kSecondNs;
}

Arrivals::Arrivals(const Schedule& schedule) : schedule_(schedule), random_(schedule.seed), curve_(schedule.stages) {}

std::optional<int64_t> Arrivals::next() {
  while (true) {
    const bool own = index_ % schedule_.parts == schedule_.part;
    const std::optional<int64_t> due = following();
    if (own || !due) return due;
  }
}

// Returns the next due time of all parts.
std::optional<int64_t> Arrivals::following() {
  if (schedule_.calls > 0 && index_ >= schedule_.calls) return std::nullopt;
  if (!schedule_.stages.empty()) {
    at_ns_ = curve_.reach(expected());
  } else if (schedule_.poisson) {
    at_ns_ += exponential() * kSecondNs / schedule_.per_sec;
  } else {
    at_ns_ = static_cast<double>(index_) * kSecondNs / schedule_.per_sec;  // so that whole seconds are exact
  }
  ++index_;
  const bool over = schedule_.duration_ns > 0 && at_ns_ >= static_cast<double>(schedule_.duration_ns);
  if (over || at_ns_ > static_cast<double>(kForeverNs)) return std::nullopt;
  return static_cast<int64_t>(at_ns_);
}

// Returns the number of arrivals that stages have expected when the next is due: the number before it, or, for
// exponential gaps, the time of a unit-rate process (Çinlar 1975, inversion of the expected count).
double Arrivals::expected() {
  if (!schedule_.poisson) return static_cast<double>(index_);
  total_ += exponential();
  return total_;
}

// Draws from the exponential distribution with mean 1, by inversion.
double Arrivals::exponential() { return -std::log(1 - static_cast<double>(random_.next() >> 11) * 0x1p-53); }

int64_t Arrivals::last() {
  int64_t last = 0;
  while (const std::optional<int64_t> due = next()) {
    last = *due;
  }
  return last;
}

}  // namespace rpcbench::load
