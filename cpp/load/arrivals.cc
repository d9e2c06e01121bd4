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
  at_ns_ = schedule_.poisson ? random() : regular(index_);
  ++index_;
  const bool over = schedule_.duration_ns > 0 && at_ns_ >= static_cast<double>(schedule_.duration_ns);
  if (over || at_ns_ > static_cast<double>(kForeverNs)) return std::nullopt;
  return static_cast<int64_t>(at_ns_);
}

double Arrivals::regular(int64_t i) {
  const auto count = static_cast<double>(i);
  if (!schedule_.stages.empty()) return curve_.reach(count);
  return count * kSecondNs / schedule_.per_sec;  // so that whole seconds are exact
}

// Returns when the next arrival is due if gaps are exponential: with stages, when as many arrivals are expected as the
// time of a unit-rate process (Çinlar 1975, inversion of the expected count).
double Arrivals::random() {
  const double gap = exponential();
  if (schedule_.stages.empty()) return at_ns_ + gap * kSecondNs / schedule_.per_sec;
  total_ += gap;
  return curve_.reach(total_);
}

// Draws from the exponential distribution with mean 1, by inversion.
double Arrivals::exponential() { return -std::log(1 - static_cast<double>(random_.next() >> 11) * 0x1p-53); }

}  // namespace rpcbench::load
