#include "load/arrivals.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "fixture.h"
#include "load/levels.h"
#include "load/pacer.h"
#include "load/waiter.h"

namespace rpcbench::load {
namespace {

std::vector<int64_t> all(const Schedule& schedule) {
  std::vector<int64_t> due;
  Arrivals arrivals(schedule);
  while (const auto next = arrivals.next()) {
    due.push_back(*next);
  }
  return due;
}

TEST(ArrivalsTest, PoissonHasTheKnownValues) {
  std::istringstream lines(test::fixture("worker/load/testdata/poisson.csv"));
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line, "seed,per_sec,arrival,due_ns");
  std::string of;
  std::vector<int64_t> due;
  int checked = 0;
  while (std::getline(lines, line)) {
    std::smatch part;
    ASSERT_TRUE(std::regex_match(line, part, std::regex("(\\d+),([\\d.]+),(\\d+),(\\d+)"))) << line;
    if (of != part[1].str() + part[2].str()) {
      of = part[1].str() + part[2].str();
      Schedule schedule;
      schedule.poisson = true;
      schedule.seed = std::strtoull(part[1].str().c_str(), nullptr, 10);
      schedule.per_sec = std::stod(part[2].str());
      schedule.calls = 100'001;
      due = all(schedule);
    }
    const auto arrival = static_cast<std::size_t>(std::stoull(part[3].str()));
    ASSERT_LT(arrival, due.size());
    EXPECT_LE(std::llabs(due[arrival] - std::stoll(part[4].str())), 1) << line;
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

TEST(ArrivalsTest, ConstantArrivalsAreDueFromZeroUpToTheDuration) {
  Schedule schedule;
  schedule.per_sec = 4;
  schedule.duration_ns = 1'000'000'000;
  EXPECT_EQ(all(schedule), (std::vector<int64_t>{0, 250'000'000, 500'000'000, 750'000'000}));
}

TEST(ArrivalsTest, PartsMakeTheWholeTogether) {
  Schedule schedule;
  schedule.per_sec = 10;
  schedule.calls = 5;
  schedule.parts = 2;
  EXPECT_EQ(all(schedule), (std::vector<int64_t>{0, 200'000'000, 400'000'000}));
  schedule.part = 1;
  EXPECT_EQ(all(schedule), (std::vector<int64_t>{100'000'000, 300'000'000}));
  EXPECT_EQ(schedule.share(5), 2);
}

TEST(ArrivalsTest, ARampIsDueByWhatItExpects) {
  Schedule schedule;
  schedule.per_sec = 1;
  schedule.calls = 5;
  schedule.stages = {{0, 2, 2'000'000'000}, {2, 2, 1'000'000'000}};  // t²/2 arrivals by t, and then two a second
  EXPECT_EQ(all(schedule), (std::vector<int64_t>{0, 1'414'213'562, 2'000'000'000, 2'500'000'000, 3'000'000'000}));
}

TEST(ArrivalsTest, ARateThatEndsAtZeroHasNoMoreArrivals) {
  Schedule schedule;
  schedule.per_sec = 1;
  schedule.calls = 5;
  schedule.stages = {{2, 0, 1'000'000'000}};
  EXPECT_EQ(all(schedule).size(), 1U) << "none at the end of the rate";
}

TEST(LevelsTest, ALevelIsTheNearestWholeNumber) {
  Levels levels({{1, 3, 2'000'000'000}, {5, 5, 1'000'000'000}});
  EXPECT_EQ(levels.level(), 1);
  std::vector<std::pair<int64_t, int64_t>> changes;
  while (levels.next()) {
    changes.emplace_back(levels.at_ns(), levels.level());
  }
  EXPECT_EQ(changes,
            (std::vector<std::pair<int64_t, int64_t>>{{500'000'000, 2}, {1'500'000'000, 3}, {2'000'000'000, 5}}));
}

TEST(SpinBudgetTest, ANinthOfTheTimeIsAllowed) {
  SpinBudget budget;
  EXPECT_EQ(budget.allow(1'000'000'000, 100'000), 100'000);
  budget.spend(100'000, 100'000);
  EXPECT_EQ(budget.allow(1'000'000'000, 2'000'000), 900'000);
  budget.spend(900'000, 900'000);
  EXPECT_EQ(budget.allow(1'000'450'000, 100'000), 50'000);
}

TEST(SpinBudgetTest, WhatAThreadLostItsProcessorForIsNotPaidOff) {
  SpinBudget budget;
  int64_t now = 1'000'000'000;
  budget.spend(60'000'000, budget.allow(now, 100'000));
  for (int i = 0; i < 10; ++i) {
    now += 1'000'000;
    EXPECT_EQ(budget.allow(now, 100'000), 100'000);
    budget.spend(100'000, 100'000);
  }
}

// Waits in virtual time, on which it is as late as it was told.
struct Timer final {
  int64_t& now;
  int64_t late_ns = 0;
  int times = 0;

  void park(int64_t ns) { wait(ns); }
  void wait(int64_t ns) {
    now += ns + late_ns;
    ++times;
  }
};

// A precise wait ends with a spin, which is charged to the client.
TEST(PacerTest, AnArrivalIsWaitedForPreciselyOnce) {
  constexpr int64_t kDueNs = 1'000'000'000;
  int64_t now = 0;
  Timer parker{now, 60'000};
  Timer waiter{now};
  while (now < kDueNs) approach(kDueNs - now, parker, waiter);
  EXPECT_EQ(now, kDueNs);
  EXPECT_EQ(parker.times, 1);
  EXPECT_EQ(waiter.times, 1);
}

TEST(PacerTest, ANearArrivalIsWaitedForPreciselyFromTheBeginning) {
  int64_t now = 0;
  Timer parker{now};
  Timer waiter{now};
  approach(kNearNs, parker, waiter);
  EXPECT_EQ(now, kNearNs);
  EXPECT_EQ(parker.times, 0);
  EXPECT_EQ(waiter.times, 1);
}

TEST(LeadTest, ALeadSettlesWhereOneSleepInTwoHundredIsLate) {
  Lead lead;
  EXPECT_EQ(lead.ns(), Lead::kFirstNs);
  for (int i = 0; i < 100; ++i) lead.learn(1'000'000);
  EXPECT_EQ(lead.ns(), Lead::kMaxNs);
  for (int i = 0; i < 10'000; ++i) lead.learn(0);
  EXPECT_EQ(lead.ns(), Lead::kMinNs);
}

}  // namespace
}  // namespace rpcbench::load
