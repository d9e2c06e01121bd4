#include "load/levels.h"

#include <cmath>

namespace rpcbench::load {
namespace {

int64_t nearest(double value) { return std::llround(value); }

}  // namespace

Levels::Levels(std::vector<Stage> stages) : stages_(std::move(stages)), level_(nearest(stages_.front().from)) {}

bool Levels::next() {
  for (; stage_ < stages_.size(); ++stage_, entered_ = false) {
    const Stage& now = stages_[stage_];
    if (!entered_) {
      entered_ = true;
      if (nearest(now.from) != level_) {
        return change(nearest(now.from), began_ns_);
      }
    }
    if (nearest(now.to) != level_) {
      const int64_t step = now.to < now.from ? -1 : 1;
      const double middle = static_cast<double>(level_) + static_cast<double>(step) / 2;
      const double part = (middle - now.from) / (now.to - now.from);
      return change(level_ + step, began_ns_ + static_cast<int64_t>(part * static_cast<double>(now.length_ns)));
    }
    began_ns_ += now.length_ns;
  }
  return false;
}

bool Levels::change(int64_t to, int64_t at) {
  level_ = to;
  at_ns_ = at;
  return true;
}

}  // namespace rpcbench::load
