#include "worker/idle_streams.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

namespace rpcbench::worker {
namespace {

// How often a wait for a call checks whether to stop.
constexpr auto kStopPollInterval = std::chrono::milliseconds(20);

stack::Failure not_open_within(int64_t timeout_ns) {
  return {stack::Code::kDeadlineExceeded, "it was not open within " + std::to_string(timeout_ns / 1'000'000'000) + " s"};
}

// Makes one call and waits for it.
class Call final : private stack::Listener {
 public:
  explicit Call(stack::Caller& caller) : caller_(caller) {}

  // Throws stack::Error if the call fails, or is not over within the timeout, or if ended becomes true.
  void make(int64_t timeout_ns, const std::function<int64_t()>& now, const std::atomic<bool>& ended) {
    const int64_t until = now() + timeout_ns;
    bool late = false;
    caller_.start(*this);
    while (!wait()) {
      late = late || now() >= until;
      if (late || ended.load()) caller_.cancel();
    }
    if (failure_ && late) throw stack::Error(not_open_within(timeout_ns));
    if (failure_) throw stack::Error(*failure_);
    if (const stack::Failure* wrong = caller_.after()) throw stack::Error(*wrong);
  }

 private:
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kStopPollInterval, [this] { return done_; });
  }

  void done(const stack::Failure* failure) override {
    const std::lock_guard lock(mutex_);
    if (failure != nullptr) failure_ = *failure;
    done_ = true;
    changed_.notify_all();
  }

  stack::Caller& caller_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::optional<stack::Failure> failure_;
};

}  // namespace

void open_idle_streams(const std::vector<std::unique_ptr<stack::Conn>>& conns, const stack::Call& call,
                       int64_t timeout_ns, const std::atomic<bool>& ended, const std::function<int64_t()>& now) {
  for (const auto& conn : conns) {
    for (int slot = 0; slot < call.streams; ++slot) {
      const std::unique_ptr<stack::Caller> caller = conn->caller(call, slot);
      Call(*caller).make(timeout_ns, now, ended);
    }
  }
}

}  // namespace rpcbench::worker
