#include "load/span.h"

#include <algorithm>
#include <optional>

#include "load/arrivals.h"

namespace rpcbench::load {
namespace {

// The number of arrivals that are read between two looks for a stop: about 0.1 ms.
constexpr int64_t kReadAtOnce = 1 << 12;

bool is_due(const Schedule& schedule, int64_t number) {
  return Arrivals(schedule).regular(number) <= static_cast<double>(kForeverNs);
}

// Returns the number of the last arrival, up to n, that is ever due: the rate may end at 0 before. It is negative if
// none is.
int64_t last_due(const Schedule& schedule, int64_t n) {
  if (is_due(schedule, n)) return n;
  int64_t from = 0;  // the first that is not due is between the two
  int64_t to = n;
  while (from < to) {
    const int64_t middle = from + (to - from) / 2;
    if (is_due(schedule, middle)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from - 1;
}

// Returns when the arrival with that number is due; 0 for the one before the first.
int64_t at(const Schedule& schedule, int64_t number) {
  return number < 0 ? 0 : static_cast<int64_t>(Arrivals(schedule).regular(number));
}

// Returns the span of a number of calls whose due times follow from their numbers.
Span computed(const Schedule& schedule) {
  const int64_t last = last_due(schedule, schedule.calls);
  return {at(schedule, last), at(schedule, schedule.last(std::min(schedule.calls, last + 1)))};
}

// Returns the span of a number of calls from their arrivals, one after another.
Span read(const Schedule& part, const std::function<bool()>& stopped) {
  Schedule whole = part;
  whole.part = 0;
  whole.parts = 1;
  ++whole.calls;
  Arrivals arrivals(whole);
  Span span = {0, 0};
  while (const std::optional<int64_t> due = arrivals.next()) {
    span.window_ns = *due;
    const int64_t number = arrivals.number();
    if (number < part.calls && number % part.parts == part.part) {
      span.end_ns = *due;
    }
    if (number % kReadAtOnce == 0 && stopped()) break;
  }
  return span;
}

}  // namespace

Span Span::of(const Schedule& schedule, const std::function<bool()>& stopped) {
  if (schedule.duration_ns > 0) return {schedule.duration_ns, schedule.duration_ns};
  if (!schedule.open() || schedule.calls == 0) return {};
  return schedule.poisson ? read(schedule, stopped) : computed(schedule);
}

}  // namespace rpcbench::load
