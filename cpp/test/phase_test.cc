// Phases with real threads and the real clock. Tests check only counts, which do not depend on timing.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "load/slot_pool.h"

namespace rpcbench::load {
namespace {

constexpr int64_t kMinuteNs = INT64_C(60) * 1'000'000'000;

// Counts samples.
class Counting final : public Sink {
 public:
  void record(const Sample& sample) override {
    const std::lock_guard lock(mutex_);
    if (sample.fate == Fate::kUnsent) {
      unsent += 1 + sample.more;
    } else if (sample.fate == Fate::kUnfinished) {
      ++unfinished;
    } else if (sample.failure != nullptr) {
      ++failed;
      last = *sample.failure;
    } else {
      ++ok;
    }
  }

  int64_t all() const { return ok + failed + unsent + unfinished; }

  int64_t ok = 0;
  int64_t failed = 0;
  int64_t unsent = 0;
  int64_t unfinished = 0;
  stack::Failure last;

 private:
  std::mutex mutex_;
};

// Completes calls at once, on the calling thread.
class Instant final : public stack::Caller {
 public:
  void start(stack::Listener& listener) override {
    calls.fetch_add(1);
    listener.done(nullptr);
  }
  void cancel() override {}
  const stack::Failure* after() override { return wrong; }

  std::atomic<int64_t> calls = 0;
  const stack::Failure* wrong = nullptr;
};

// Completes calls only when they are canceled, or never if it is deaf.
class Silent final : public stack::Caller {
 public:
  explicit Silent(bool deaf = false) : deaf_(deaf) {}

  void start(stack::Listener& listener) override { listener_.store(&listener); }
  void cancel() override {
    if (deaf_) return;
    if (stack::Listener* listener = listener_.exchange(nullptr)) {
      const stack::Failure cancelled = {stack::Code::kCancelled, "cancelled"};
      listener->done(&cancelled);
    }
  }
  const stack::Failure* after() override { return nullptr; }
  bool is_waiting() const { return listener_.load() != nullptr; }

 private:
  const bool deaf_;
  std::atomic<stack::Listener*> listener_ = nullptr;
};

template <typename C>
struct Scene {
  template <typename... Args>
  explicit Scene(int slots, int64_t deadline_ns, Args... args) {
    for (int i = 0; i < slots; ++i) {
      callers.push_back(std::make_unique<C>(args...));
      pointers.push_back(callers.back().get());
    }
    pool = std::make_unique<SlotPool>(pointers, deadline_ns);
  }

  std::vector<std::unique_ptr<C>> callers;
  std::vector<stack::Caller*> pointers;
  std::unique_ptr<SlotPool> pool;
  Counting sink;
};

TEST(PhaseTest, AClosedLoadMakesItsNumberOfCalls) {
  Scene<Instant> scene(3, kMinuteNs);
  Schedule schedule;
  schedule.calls = 100'000;
  const Tally tally = scene.pool->begin(schedule, kMinuteNs, scene.sink).run();
  EXPECT_EQ(tally.arrivals, 100'000);
  EXPECT_EQ(scene.sink.ok, 100'000);
  EXPECT_EQ(scene.callers[0]->calls + scene.callers[1]->calls + scene.callers[2]->calls, 100'000);
  EXPECT_GT(tally.window_ns, 0);
  EXPECT_EQ(tally.late, 0);
}

TEST(PhaseTest, AnOpenLoadMakesItsSchedule) {
  Scene<Instant> scene(2, kMinuteNs);
  Schedule schedule;
  schedule.per_sec = 10'000;
  schedule.duration_ns = 50'000'000;
  const Tally tally = scene.pool->begin(schedule, kMinuteNs, scene.sink).run();
  EXPECT_EQ(tally.arrivals, 500);
  EXPECT_EQ(scene.sink.ok, 500);
  EXPECT_EQ(tally.window_ns, 50'000'000);
}

// On a busy machine all of a phase's arrivals may be overdue, and then the pacer waits for none.
TEST(PhaseTest, APacerThatWaitsTakesCpuTime) {
  Scene<Instant> scene(1, kMinuteNs);
  Schedule schedule;
  schedule.per_sec = 100;
  schedule.calls = 2;
  for (int phase = 0; phase < 1'000 && scene.pool->pacer_cpu_ns() == 0; ++phase) {
    scene.pool->begin(schedule, kMinuteNs, scene.sink).run();
  }
  EXPECT_GT(scene.pool->pacer_cpu_ns(), 0);
}

TEST(PhaseTest, AWrongReplyIsAFailure) {
  const stack::Failure wrong = {stack::Code::kMismatch, "wrong"};
  Scene<Instant> scene(1, kMinuteNs);
  scene.callers[0]->wrong = &wrong;
  Schedule schedule;
  schedule.calls = 3;
  scene.pool->begin(schedule, kMinuteNs, scene.sink).run();
  EXPECT_EQ(scene.sink.failed, 3);
  EXPECT_EQ(scene.sink.last.code, stack::Code::kMismatch);
}

TEST(PhaseTest, ACallPastItsDeadlineIsCancelled) {
  Scene<Silent> scene(2, 1'000'000);
  Schedule schedule;
  schedule.calls = 6;
  const Tally tally = scene.pool->begin(schedule, kMinuteNs, scene.sink).run();
  EXPECT_EQ(tally.arrivals, 6);
  EXPECT_EQ(scene.sink.failed, 6);
  EXPECT_EQ(scene.sink.last.code, stack::Code::kDeadlineExceeded);
}

// A machine that is busy meanwhile may have sent none.
TEST(PhaseTest, TheEndOfTheDrainLeavesUnsentOrUnfinished) {
  Scene<Silent> scene(3, kMinuteNs);
  Schedule schedule;
  schedule.per_sec = 100'000;
  schedule.duration_ns = 10'000'000;
  const Tally tally = scene.pool->begin(schedule, 1'000'000, scene.sink).run();
  EXPECT_EQ(tally.arrivals, 1'000);
  EXPECT_LE(scene.sink.unfinished, 3);
  EXPECT_EQ(scene.sink.unsent + scene.sink.unfinished, tally.arrivals);
  EXPECT_EQ(scene.sink.all(), tally.arrivals);
}

// The drain ends when all slots have a call and all calls were due.
TEST(PhaseTest, ADrainThatIsShortenedLeavesWhatIsInFlightUnfinished) {
  Scene<Silent> scene(3, kMinuteNs);
  Schedule schedule;
  schedule.per_sec = 100'000;
  schedule.duration_ns = 10'000'000;
  Phase& phase = scene.pool->begin(schedule, kMinuteNs, scene.sink);
  std::thread shortens([&] {
    for (const auto& caller : scene.callers) {
      while (!caller->is_waiting()) std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::nanoseconds(schedule.duration_ns));
    phase.stop(0);
  });
  const Tally tally = phase.run();
  shortens.join();
  EXPECT_EQ(tally.arrivals, 1'000);
  EXPECT_EQ(tally.stopped_ns, 0);
  EXPECT_EQ(scene.sink.unfinished, 3);
  EXPECT_EQ(scene.sink.unsent, 997);
  EXPECT_EQ(scene.sink.all(), tally.arrivals);
}

TEST(PhaseTest, ASlotThatNeverComesBackIsGivenUp) {
  Scene<Silent> scene(1, kMinuteNs, true);
  Schedule schedule;
  schedule.calls = 5;
  Phase& phase = scene.pool->begin(schedule, 0, scene.sink);
  std::thread ends([&phase] { phase.abort(); });
  const Tally tally = phase.run();
  ends.join();
  EXPECT_LE(tally.arrivals, 1) << "none where the abort was first";
  EXPECT_EQ(scene.sink.unfinished, tally.arrivals);
  if (tally.arrivals > 0) {
    EXPECT_TRUE(scene.pool->has_lost());
    EXPECT_THROW(scene.pool->begin(schedule, 0, scene.sink), std::runtime_error);
  }
}

TEST(PhaseTest, AStopBeforeTheBeginMakesNoCalls) {
  Scene<Instant> scene(1, kMinuteNs);
  Schedule schedule;
  schedule.calls = 5;
  Phase& phase = scene.pool->begin(schedule, kMinuteNs, scene.sink);
  phase.stop();
  phase.await(kMinuteNs);
  EXPECT_EQ(phase.run().arrivals, 0);
  EXPECT_EQ(scene.callers[0]->calls, 0);
}

// What a phase computes after its origin makes all calls late that are due meanwhile.
TEST(PhaseTest, TheEndIsKnownBeforeTheBegin) {
  for (const bool poisson : {false, true}) {
    Scene<Instant> scene(1, kMinuteNs);
    Schedule schedule;
    schedule.per_sec = 1'000;
    schedule.poisson = poisson;
    schedule.calls = 20;
    const int64_t window = Span::of(schedule, [] { return false; }).window_ns;
    Phase& phase = scene.pool->begin(schedule, kMinuteNs, scene.sink);
    phase.await(0);
    EXPECT_TRUE(phase.is_late(window + 1));
    EXPECT_FALSE(phase.is_late(window));
    EXPECT_EQ(phase.run().window_ns, window);
  }
}

// To read random arrivals takes time in proportion to their number. A stop or an abort need not wait for it.
TEST(PhaseTest, AStopEndsTheReadingOfArrivals) {
  for (const bool aborts : {false, true}) {
    Scene<Instant> scene(1, kMinuteNs);
    Schedule schedule;
    schedule.per_sec = 1;
    schedule.poisson = true;
    schedule.calls = 1'000'000'000'000'000;
    Phase& phase = scene.pool->begin(schedule, kMinuteNs, scene.sink);
    std::thread ends([&] {
      if (aborts) {
        phase.abort();
      } else {
        phase.stop();
      }
    });
    phase.await(kMinuteNs);
    ends.join();
    EXPECT_EQ(phase.run().arrivals, 0);
  }
}

TEST(PhaseTest, AStopEndsALoadOfMoreCallsThanCanBeRead) {
  Scene<Instant> scene(1, kMinuteNs);
  Schedule schedule;
  schedule.per_sec = 10'000;
  schedule.calls = 1'000'000'000'000'000;
  Phase& phase = scene.pool->begin(schedule, kMinuteNs, scene.sink);
  std::thread stops([&] {
    while (scene.callers[0]->calls < 10) std::this_thread::yield();
    phase.stop();
  });
  const Tally tally = phase.run();
  stops.join();
  EXPECT_EQ(tally.window_ns, tally.stopped_ns);
}

// The pacer rests until shortly before the next arrival, an hour from now. A stop and an abort wake it.
TEST(PhaseTest, AStopIsNotHeldUpByAFarArrival) {
  for (const bool aborts : {false, true}) {
    Scene<Instant> scene(1, kMinuteNs);
    Schedule schedule;
    schedule.per_sec = 1.0 / 3'600;
    schedule.calls = 2;
    Phase& phase = scene.pool->begin(schedule, kMinuteNs, scene.sink);
    std::thread ends([&] {
      while (scene.callers[0]->calls < 1) std::this_thread::yield();
      if (aborts) {
        phase.abort();
      } else {
        phase.stop();
      }
    });
    EXPECT_EQ(phase.run().arrivals, 1);
    ends.join();
    EXPECT_EQ(scene.sink.ok, 1);
  }
}

TEST(PhaseTest, AStopEndsALoadWithoutAnEnd) {
  Scene<Instant> scene(2, kMinuteNs);
  Phase& phase = scene.pool->begin(Schedule{}, kMinuteNs, scene.sink);
  std::thread stops([&] {
    while (scene.callers[0]->calls < 100) std::this_thread::yield();
    phase.stop();
  });
  const Tally tally = phase.run();
  stops.join();
  EXPECT_EQ(tally.arrivals, scene.sink.ok);
  EXPECT_GE(tally.arrivals, 100);
  EXPECT_GT(tally.stopped_ns, 0);
  EXPECT_EQ(tally.window_ns, tally.stopped_ns);
}

TEST(PhaseTest, ARampLetsOnlySlotsBelowItsLevelCall) {
  Scene<Instant> scene(3, kMinuteNs);
  Schedule schedule;
  schedule.duration_ns = 20'000'000;
  schedule.stages = {{2, 2, 20'000'000}};
  const Tally tally = scene.pool->begin(schedule, kMinuteNs, scene.sink).run();
  EXPECT_EQ(tally.arrivals, scene.sink.ok);
  EXPECT_EQ(scene.callers[2]->calls, 0);
  EXPECT_EQ(scene.callers[0]->calls + scene.callers[1]->calls, tally.arrivals);
}

TEST(PhaseTest, PhasesFollowOneAnother) {
  Scene<Instant> scene(2, kMinuteNs);
  Schedule schedule;
  schedule.calls = 10;
  for (int64_t i = 1; i <= 3; ++i) {
    EXPECT_EQ(scene.pool->begin(schedule, kMinuteNs, scene.sink).run().arrivals, 10);
    EXPECT_EQ(scene.sink.ok, 10 * i);
  }
}

}  // namespace
}  // namespace rpcbench::load
