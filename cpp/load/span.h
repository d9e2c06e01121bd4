// How long the calls of a schedule are due.
#pragma once

#include <cstdint>
#include <functional>

#include "load/schedule.h"

namespace rpcbench::load {

// A phase has it before it begins, as calls that are due while it is computed would be late.
struct Span {
  int64_t window_ns = kForeverNs;  // the duration; for an open load with a number of calls, until one more would be due
  int64_t end_ns = kForeverNs;     // the duration, or when the part's last call is due

  // Returns the schedule's span. It takes time in proportion to the number of calls only if they are random. It is
  // incomplete if stopped returns true meanwhile.
  static Span of(const Schedule& schedule, const std::function<bool()>& stopped);

  bool operator==(const Span&) const = default;
};

}  // namespace rpcbench::load
