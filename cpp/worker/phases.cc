#include "worker/phases.h"

#include <pthread.h>

#include <algorithm>
#include <stdexcept>

#include "control/fault.h"
#include "host/host.h"
#include "worker/check.h"
#include "worker/conclusion.h"
#include "worker/reporter.h"

namespace rpcbench::worker {

using control::FaultError;

namespace {

constexpr int kShardsPerProcessor = 2;

// The number that a driver requests, unless it keeps every second itself.
constexpr std::size_t kWindows = 20;

std::size_t shards_for(const load::SlotPool& pool) {
  return static_cast<std::size_t>(std::min(pool.size(), kShardsPerProcessor * host::processors()));
}

}  // namespace

Phases::Phases(Client& client, control::EventWriter& events)
    : client_(client), events_(events), recorder_(shards_for(client.pool())) {
  recorder_.begin(false, kWindows, {});
}

Phases::~Phases() {
  {
    const std::lock_guard lock(mutex_);
    if (running_ != nullptr) running_->abort();
  }
  if (thread_.joinable()) thread_.join();
}

void Phases::begin(const v1::Begin& command) {
  const load::Schedule schedule = check::schedule(command, client_.pool().size());
  const std::lock_guard lock(mutex_);
  control::refuse(running_ != nullptr, "begin", "the previous phase is still running");
  if (thread_.joinable()) thread_.join();  // it has sent its Done
  try {
    running_ = &client_.pool().begin(schedule, command.drain_ns(), recorder_);
  } catch (const std::runtime_error& e) {
    throw FaultError("begin", e.what());
  }
  std::vector<int64_t> edges = edges_of(schedule.stages);
  recorder_.begin(schedule.open(), command.windows(), edges);
  if (client_.background() != nullptr) client_.background()->begin();
  thread_ = std::thread([this, command, edges = std::move(edges), &phase = *running_] {
    const v1::Event answer = run(command, edges, phase);
    over();  // before the driver can answer
    events_.write(answer);
  });
  pthread_setname_np(thread_.native_handle(), "rpcbench-phase");
}

void Phases::over() {
  const std::lock_guard lock(mutex_);
  running_ = nullptr;
}

bool Phases::running() {
  const std::lock_guard lock(mutex_);
  return running_ != nullptr;
}

void Phases::stop(const v1::Stop& command) {
  const std::lock_guard lock(mutex_);
  if (running_ == nullptr) return;
  if (command.has_drain_ns()) {
    running_->stop(std::max<int64_t>(0, command.drain_ns()));
  } else {
    running_->stop();
  }
}

// Runs the phase to its end and sends its reports. Every error is answered, because the driver waits.
v1::Event Phases::run(const v1::Begin& command, const std::vector<int64_t>& edges, load::Phase& phase) {
  phase.await(command.delay_ns());
  const int64_t length = command.interval_ns() == 0 ? kIntervalNs : command.interval_ns();
  Reporter reporter(client_.pool(), recorder_, events_, {length, command.interval_histograms(), edges});
  reporter.begin();
  const load::Tally tally = phase.run();
  reporter.end();
  v1::Event event;
  try {
    *event.mutable_done() = conclude(client_, command, tally, recorder_.summary());
  } catch (const FaultError& e) {
    event.mutable_fault()->set_field(e.field());
    event.mutable_fault()->set_message(e.what());
  } catch (const std::exception& e) {
    event.mutable_fault()->set_message(std::string("the phase failed: ") + e.what());
  }
  return event;
}

}  // namespace rpcbench::worker
