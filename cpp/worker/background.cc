#include "worker/background.h"

#include "control/text.h"

namespace rpcbench::worker {
namespace {

constexpr int64_t kDrainNs = 1'000'000'000;

std::vector<stack::Caller*> pointers(const std::vector<std::unique_ptr<stack::Caller>>& callers) {
  std::vector<stack::Caller*> all;
  for (const auto& caller : callers) {
    all.push_back(caller.get());
  }
  return all;
}

}  // namespace

Background::Background(std::vector<std::unique_ptr<stack::Caller>> callers, int64_t deadline_ns)
    : callers_(std::move(callers)), pool_(pointers(callers_), deadline_ns) {}

Background::~Background() { end(); }

void Background::end() {
  if (!thread_.joinable()) return;
  phase_->abort();
  thread_.join();
}

void Background::begin() {
  const std::lock_guard lock(mutex_);
  count_.Clear();
  if (phase_ == nullptr) {
    phase_ = &pool_.begin(load::Schedule{}, kDrainNs, *this);
    thread_ = std::thread([this] { phase_->run(); });
  }
}

v1::BackgroundDone Background::counted() {
  const std::lock_guard lock(mutex_);
  return count_;
}

void Background::record(const load::Sample& sample) {
  if (sample.fate != load::Fate::kAnswered) return;  // cut off at the end
  const std::lock_guard lock(mutex_);
  if (sample.failure == nullptr) {
    count_.set_ok(count_.ok() + 1);
    return;
  }
  count_.set_errors(count_.errors() + 1);
  if (count_.example().empty()) count_.set_example(control::clean(sample.failure->text()));
}

}  // namespace rpcbench::worker
