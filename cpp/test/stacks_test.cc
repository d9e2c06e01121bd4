#include "host/stacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace rpcbench::host {
namespace {

// Returns which samples are in their places after so many.
std::set<int64_t> kept(const Thinning& thinning, int64_t samples) {
  std::vector<int64_t> places(static_cast<std::size_t>(thinning.places()), -1);
  for (int64_t sample = 0; sample < samples; ++sample) {
    if (const auto place = thinning.place(sample)) places.at(static_cast<std::size_t>(*place)) = sample;
  }
  std::set<int64_t> in_place;
  for (int64_t sample = 0; sample < samples; sample += thinning.step(samples)) {
    if (places.at(static_cast<std::size_t>(thinning.place(sample).value())) == sample) in_place.insert(sample);
  }
  return in_place;
}

TEST(ThinningTest, EverySecondSampleLeavesItsPlace) {
  const Thinning thinning(4);
  EXPECT_EQ(kept(thinning, 4), (std::set<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(kept(thinning, 5), (std::set<int64_t>{0, 2, 4}));
  EXPECT_EQ(kept(thinning, 8), (std::set<int64_t>{0, 2, 4, 6}));
  EXPECT_EQ(kept(thinning, 9), (std::set<int64_t>{0, 4, 8}));
  EXPECT_EQ(kept(thinning, 40), (std::set<int64_t>{0, 16, 32}));
}

TEST(ThinningTest, WhatIsKeptIsSpreadOverAllSamples) {
  for (const int64_t places : {2, 6, 100}) {
    const Thinning thinning(places);
    for (int64_t samples = 1; samples < 1'000; ++samples) {
      std::set<int64_t> want;
      for (int64_t sample = 0; sample < samples; sample += thinning.step(samples)) want.insert(sample);
      EXPECT_EQ(kept(thinning, samples), want) << samples << " samples at " << places << " places";
      EXPECT_LE(static_cast<int64_t>(want.size()), places);
      EXPECT_GE(static_cast<int64_t>(want.size()), std::min(samples, places / 2));
    }
  }
}

}  // namespace
}  // namespace rpcbench::host
