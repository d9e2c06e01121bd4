#include "worker/check.h"

#include <algorithm>
#include <cmath>

#include "payload/payload.h"

namespace rpcbench::worker {

using control::FaultError;
using control::refuse;

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) {
    all += (all.empty() ? "" : ", ") + word;
  }
  return all;
}

std::string offer(const std::vector<std::string>& known) {
  return known.empty() ? "it has none" : "it has " + joined(known);
}

}  // namespace

stack::OptionValues values_of(const google::protobuf::Map<std::string, std::string>& options) {
  return {options.begin(), options.end()};
}

namespace check {

stack::Stack& stack_of(const std::string& command, const std::string& name, const Stacks& stacks) {
  for (const auto& stack : stacks) {
    if (stack->info().name == name) return *stack;
  }
  throw FaultError(command + ".stack", "this worker has no stack \"" + name + '"');
}

void can(const std::string& command, const stack::Info& info, bool able) {
  refuse(!able, command + ".stack", info.name + " can't " + command);
}

void word(const std::string& field, const stack::Info& info, const std::string& word,
          const std::vector<std::string>& known) {
  const bool found = std::find(known.begin(), known.end(), word) != known.end();
  refuse(!found, field, info.name + " has no \"" + word + "\"; " + offer(known));
}

void payload(const std::string& field, const std::string& kind) {
  const std::vector<std::string> known(payload::kKinds.begin(), payload::kKinds.end());
  refuse(!payload::is_kind(kind), field, '"' + kind + "\" is not a payload kind; " + offer(known));
}

void options(const std::string& command, const stack::Info& info, const stack::OptionValues& given,
             bool stack::Option::*side) {
  std::vector<std::string> known;
  for (const stack::Option& option : info.options) {
    if (option.*side) known.push_back(option.name);
  }
  for (const auto& [name, value] : given) {
    const bool found = std::find(known.begin(), known.end(), name) != known.end();
    refuse(!found, command + ".options", info.name + " has no option \"" + name + "\" here; " + offer(known));
  }
  for (const stack::Option& option : info.options) {
    const auto found = given.find(option.name);
    if (!(option.*side) || found == given.end()) continue;
    const std::string why = option.refuse(found->second);
    refuse(!why.empty(), command + ".options", "the option " + option.name + " of " + info.name + " " + why);
  }
}

namespace {

constexpr int kMaxWindows = 50;  // limits the size of a Done
constexpr int64_t kMinIntervalNs = 5'000'000;
constexpr int64_t kMaxIntervalNs = 1'000'000'000;

bool is_load(double value) { return value >= 0 && !std::isinf(value); }

std::vector<load::Stage> stages_of(const v1::Load& load) {
  std::vector<load::Stage> stages;
  for (const v1::Stage& stage : load.stages()) {
    refuse(!is_load(stage.from()) || !is_load(stage.to()) || stage.length_ns() <= 0, "begin.load.stages",
           std::to_string(stage.from()) + " to " + std::to_string(stage.to()) + " in " +
               std::to_string(stage.length_ns()) + " ns is not a stage");
    stages.push_back({stage.from(), stage.to(), stage.length_ns()});
  }
  return stages;
}

// Checks when a phase begins and ends, and its windows.
void times(const v1::Begin& c) {
  refuse(c.phase() != v1::PHASE_WARMUP && c.phase() != v1::PHASE_MEASURED, "begin.phase",
         std::to_string(c.phase()) + " is not a phase");
  refuse((c.duration_ns() > 0) == (c.calls() > 0) || c.duration_ns() < 0 || c.calls() < 0, "begin.duration_ns",
         "it needs exactly one of duration_ns and calls");
  refuse(c.drain_ns() < 0, "begin.drain_ns", "it can't be negative");
  refuse(c.delay_ns() < 0, "begin.delay_ns", "it can't be negative");
  refuse(c.interval_ns() != 0 && (c.interval_ns() < kMinIntervalNs || c.interval_ns() > kMaxIntervalNs),
         "begin.interval_ns", std::to_string(c.interval_ns()) + " ns is not between 5 ms and 1 s");
  refuse(c.windows() > kMaxWindows, "begin.windows",
         std::to_string(c.windows()) + " is above the limit of " + std::to_string(kMaxWindows));
}

// Checks a closed load's stages, which are calls in flight.
void ramp(const load::Schedule& schedule, int slots) {
  refuse(schedule.calls > 0, "begin.calls", "a closed load with stages needs a duration");
  const int64_t max = schedule.max_in_flight();
  refuse(max > slots, "begin.load.stages",
         std::to_string(max) + " calls in flight are more than the connections' " + std::to_string(slots));
}

}  // namespace

load::Schedule schedule(const v1::Begin& c, int slots) {
  const v1::Load& load = c.load();
  const bool closed = load.arrivals() == "closed";
  const bool poisson = load.arrivals() == "poisson";
  refuse(!closed && !poisson && load.arrivals() != "constant", "begin.load.arrivals",
         '"' + load.arrivals() + "\" is not closed, constant or poisson");
  refuse(closed != (load.per_sec() == 0) || !is_load(load.per_sec()), "begin.load.per_sec",
         std::to_string(load.per_sec()) + " is not a rate for " + load.arrivals());
  times(c);
  load::Schedule schedule;
  schedule.per_sec = load.per_sec();
  schedule.poisson = poisson;
  schedule.seed = load.seed();
  schedule.duration_ns = c.duration_ns();
  schedule.calls = c.calls();
  schedule.part = load.part();
  schedule.parts = std::max<int64_t>(1, load.parts());
  refuse(schedule.part >= schedule.parts, "begin.load.part",
         "there is no part " + std::to_string(schedule.part) + " of " + std::to_string(schedule.parts));
  schedule.stages = stages_of(load);
  if (closed && !schedule.stages.empty()) ramp(schedule, slots);
  return schedule;
}

}  // namespace check

std::vector<int64_t> edges_of(const std::vector<load::Stage>& stages) {
  std::vector<int64_t> edges;
  int64_t last = 0;
  int64_t end = 0;
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    end += stages[i].length_ns;
    if (end - last >= kIntervalNs) {
      edges.push_back(end);
      last = end;
    }
  }
  return edges;
}

}  // namespace rpcbench::worker
