#include <gtest/gtest.h>
#include <zlib.h>

#include <stdexcept>
#include <thread>

#include "fixture.h"
#include "record/histogram.h"
#include "record/recorder.h"

namespace rpcbench::record {
namespace {

constexpr std::size_t kHeader = 40;

// Returns the uncompressed V2 encoding.
std::string inflated(const std::string& encoded) {
  std::string plain(1 << 20, '\0');
  uLongf length = plain.size();
  if (uncompress(reinterpret_cast<Bytef*>(plain.data()), &length, reinterpret_cast<const Bytef*>(encoded.data()) + 8,
                 encoded.size() - 8) != Z_OK) {
    throw std::runtime_error("it can't be inflated");
  }
  plain.resize(length);
  return plain;
}

// Returns the lowest value with an index, from HdrHistogram's layout alone.
int64_t value_at(int64_t index) {
  const int64_t bucket = index / 1024 <= 1 ? 0 : index / 1024 - 1;
  return (index - bucket * 1024) << bucket;
}

// Decodes a histogram.
Histogram again(const std::string& plain) {
  Histogram histogram;
  int64_t index = 0;
  for (std::size_t at = kHeader; at < plain.size();) {
    uint64_t bits = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(plain[at++]);
      bits |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    const int64_t count = static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
    if (count < 0) {
      index -= count;
      continue;
    }
    if (count > 0) histogram.record(value_at(index), count);
    ++index;
  }
  return histogram;
}

class FixtureTest : public testing::TestWithParam<const char*> {};

TEST_P(FixtureTest, WhatGoAndJavaRecordHasTheSameFiguresAndBytes) {
  const auto fixtures = test::objects(test::fixture(std::string("worker/record/testdata/") + GetParam()));
  ASSERT_EQ(fixtures.size(), 7U);
  for (const std::string& fixture : fixtures) {
    const std::string name = test::value(fixture, "name");
    const std::string plain = inflated(test::base64(test::value(fixture, "v2_compressed")));
    const Histogram histogram = again(plain);
    const auto figure = [&fixture](const char* key) { return std::stoll(test::value(fixture, key)); };
    EXPECT_EQ(histogram.count(), figure("calls")) << name;
    EXPECT_EQ(histogram.quantile(.5), figure("p50_ns")) << name;
    EXPECT_EQ(histogram.quantile(.9), figure("p90_ns")) << name;
    EXPECT_EQ(histogram.quantile(.99), figure("p99_ns")) << name;
    EXPECT_EQ(histogram.quantile(.999), figure("p999_ns")) << name;
    EXPECT_EQ(histogram.quantile(1), figure("max_ns")) << name;
    const std::string encoded = histogram.encode();
    EXPECT_EQ(encoded.substr(0, 4), "\x1c\x84\x93\x14") << name;
    EXPECT_EQ(inflated(encoded), plain) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, FixtureTest, testing::Values("go.json", "java.json"));

TEST(HistogramTest, WhatIsBeyondTheRangeIsRecordedAsItsEnd) {
  Histogram histogram;
  EXPECT_FALSE(histogram.record(Histogram::kHighestNs));
  EXPECT_TRUE(histogram.record(Histogram::kHighestNs + 1));
  EXPECT_TRUE(histogram.record(-1));
  EXPECT_EQ(histogram.count(), 3);
  EXPECT_EQ(histogram.quantile(.01), 0);
}

load::Sample answered(int64_t due, int64_t sent, int64_t done, const stack::Failure* failure = nullptr) {
  load::Sample sample;
  sample.due_ns = due;
  sample.sent_ns = sent;
  sample.done_ns = done;
  sample.wake_ns = sent - due;
  sample.failure = failure;
  return sample;
}

load::Sample lost(load::Fate fate, int64_t more) {
  load::Sample sample;
  sample.fate = fate;
  sample.done_ns = 1'000;
  sample.more = more;
  return sample;
}

TEST(RecorderTest, EveryArrivalIsInExactlyOneOutcome) {
  const stack::Failure gone = {stack::Code::kUnavailable, "gone"};
  Recorder recorder(3);
  recorder.begin(true, 20, {});
  for (int thread = 0; thread < 5; ++thread) {  // more than there are shards
    std::thread([&recorder] {
      recorder.record(answered(100, 150, 1'100));
      recorder.record(answered(100, 150, 1'100));
    }).join();
  }
  recorder.record(answered(0, 0, 500, &gone));
  recorder.record(lost(load::Fate::kUnsent, 4));
  recorder.record(lost(load::Fate::kUnfinished, 0));
  const Counts counts = recorder.tick();
  EXPECT_EQ(counts.ok, 10);
  EXPECT_EQ(counts.errors, 7);
  EXPECT_EQ(counts.response_mean_ns(), 1'000);
  EXPECT_EQ(recorder.tick().ok, 0) << "a tick counts what came since the one before";
  recorder.end_window(1'000'000'000);
  const Summary summary = recorder.summary();
  ASSERT_EQ(summary.outcomes.size(), 4U);
  EXPECT_EQ(summary.outcomes[0].code, "OK");
  EXPECT_EQ(summary.outcomes[0].calls, 10);
  EXPECT_EQ(summary.outcomes[1].code, "UNAVAILABLE");
  EXPECT_EQ(summary.outcomes[1].example, "UNAVAILABLE: gone");
  EXPECT_EQ(summary.outcomes[2].code, "UNSENT");
  EXPECT_EQ(summary.outcomes[2].calls, 5);
  EXPECT_EQ(summary.outcomes[3].code, "UNFINISHED");
  std::vector<std::pair<std::string_view, int64_t>> counted;
  for (const auto& [name, histogram] : summary.histograms) {
    counted.emplace_back(name, histogram->count());
  }
  EXPECT_EQ(counted, (std::vector<std::pair<std::string_view, int64_t>>{
                         {"bound", 6}, {"error", 1}, {"queue", 10}, {"response", 16}, {"service", 10}, {"wake", 10}}));
}

TEST(RecorderTest, APhaseHasNothingOfTheOneBefore) {
  Recorder recorder(2);
  recorder.begin(true, 5, {});
  recorder.record(answered(0, 0, 10));
  recorder.end_window(10);
  recorder.begin(false, 5, {});
  recorder.record(answered(0, 0, 20));
  EXPECT_EQ(recorder.end_window(10).count(), 1);
  const Summary summary = recorder.summary();
  EXPECT_EQ(summary.ok, 1);
  EXPECT_EQ(summary.histograms.size(), 1U) << "a closed load has responses only";
}

std::vector<std::pair<int64_t, int64_t>> ends_and_counts(const Series& series) {
  std::vector<std::pair<int64_t, int64_t>> all;
  for (const Window& window : series.kept()) {
    all.emplace_back(window.end_ns, window.response->count());
  }
  return all;
}

TEST(SeriesTest, NeighborsMergePastTheMaximum) {
  Series series;
  series.begin(4, {});
  Histogram one;
  one.record(5);
  for (int64_t i = 0; i < 9; ++i) {
    series.add(i, i + 1, one);
  }
  EXPECT_EQ(ends_and_counts(series), (std::vector<std::pair<int64_t, int64_t>>{{4, 4}, {8, 4}, {9, 1}}));
}

TEST(SeriesTest, WithEdgesWindowsBeginThere) {
  Series series;
  series.begin(4, {2, 5});
  Histogram one;
  one.record(5);
  for (int64_t i = 0; i < 6; ++i) {
    series.add(i, i + 1, one);
  }
  EXPECT_EQ(ends_and_counts(series), (std::vector<std::pair<int64_t, int64_t>>{{2, 2}, {5, 3}, {6, 1}}));
}

}  // namespace
}  // namespace rpcbench::record
