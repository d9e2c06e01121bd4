#include "load/span.h"

#include <gtest/gtest.h>

#include "load/arrivals.h"

namespace rpcbench::load {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

int64_t last(const Schedule& schedule) {
  int64_t last = 0;
  Arrivals arrivals(schedule);
  while (const auto due = arrivals.next()) {
    last = *due;
  }
  return last;
}

// Returns a span by its definition.
Span walked(const Schedule& schedule) {
  Schedule whole = schedule;
  whole.part = 0;
  whole.parts = 1;
  ++whole.calls;
  return {last(whole), last(schedule)};
}

// Checks schedules of that kind with many rates, numbers of calls and parts.
void expect_walked(Schedule schedule) {
  for (const double per_sec : {1e-9, 1. / 3, 3., 7.7, 1000., 123456.789, 3e9}) {  // 1e-9 is too slow for all
    for (const int64_t parts : {1, 2, 3, 7}) {
      for (int64_t part = 0; part < parts; ++part) {
        for (const int64_t calls : {1, 2, 3, 29, 30, 31, 200, 1001}) {
          schedule.per_sec = per_sec;
          schedule.parts = parts;
          schedule.part = part;
          schedule.calls = calls;
          EXPECT_EQ(Span::of(schedule, [] { return false; }), walked(schedule))
              << calls << " calls at " << per_sec << "/s, part " << part << " of " << parts;
        }
      }
    }
  }
}

// A span that is computed must not differ from that of the arrivals one after another.
TEST(SpanTest, ASpanIsThatOfTheArrivals) {
  for (const bool poisson : {false, true}) {
    Schedule schedule;
    schedule.poisson = poisson;
    schedule.seed = 3;
    expect_walked(schedule);
    const int64_t length = 3 * kSecondNs;
    schedule.stages = {{0, 40, length}, {7, 7, length}, {0, 0, length}, {40, 1, length}};
    expect_walked(schedule);
    schedule.stages = {{20, 0, length}};  // 30 calls are ever due
    expect_walked(schedule);
  }
}

// More calls than can be read one by one.
TEST(SpanTest, ASpanTakesNoLongerForMoreCalls) {
  const auto never = [] {
    ADD_FAILURE() << "it reads arrivals";
    return true;
  };
  Schedule schedule;
  schedule.per_sec = 1'000'000;
  schedule.calls = 1'000'000'000'000;
  schedule.part = 3;
  schedule.parts = 4;
  EXPECT_EQ(Span::of(schedule, never), (Span{1'000'000 * kSecondNs, 1'000'000 * kSecondNs - 1000}));
  schedule.part = 0;
  schedule.parts = 1;
  schedule.calls = INT64_MAX;
  EXPECT_GT(Span::of(schedule, never).window_ns, kForeverNs / 2);
}

}  // namespace
}  // namespace rpcbench::load
