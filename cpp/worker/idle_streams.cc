#include "worker/idle_streams.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "load/clock.h"

namespace rpcbench::worker {
namespace {

// How often a wait for a call checks whether to stop.
constexpr auto kStopPollInterval = std::chrono::milliseconds(20);

// Makes one call and waits for it.
class Call final : private stack::Listener {
 public:
  explicit Call(stack::Caller& caller) : caller_(caller) {}

  // Throws stack::Error if the call fails, or is not over by the time given, or if ended becomes true.
  void make(int64_t until_ns, const std::atomic<bool>& ended) {
    caller_.start(*this);
    while (!wait()) {
      if (ended.load() || load::monotonic_ns() >= until_ns) caller_.cancel();
    }
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
                       int64_t timeout_ns, const std::atomic<bool>& ended) {
  const int64_t until = load::monotonic_ns() + timeout_ns;
  for (const auto& conn : conns) {
    for (int slot = 0; slot < call.streams; ++slot) {
      const std::unique_ptr<stack::Caller> caller = conn->caller(call, slot);
      Call(*caller).make(until, ended);
    }
  }
}

}  // namespace rpcbench::worker
