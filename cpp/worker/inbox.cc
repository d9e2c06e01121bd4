#include "worker/inbox.h"

#include <pthread.h>

#include <exception>
#include <utility>

namespace rpcbench::worker {
namespace {

// More than a driver has outstanding. Limits the memory that a hostile peer can take.
constexpr std::size_t kMaxCommands = 64;

}  // namespace

Inbox::Inbox(int descriptor, std::function<void(bool)> on_end) : reader_(descriptor), on_end_(std::move(on_end)) {
  thread_ = std::thread([this] { read(); });
  pthread_setname_np(thread_.native_handle(), "rpcbench-inbox");
}

Inbox::~Inbox() { thread_.join(); }

void Inbox::read() {
  std::string broken;
  try {
    v1::Command command;
    while (reader_.read(command)) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return commands_.size() < kMaxCommands; });
      commands_.push_back(std::exchange(command, {}));
      changed_.notify_all();
    }
  } catch (const std::exception& e) {
    broken = e.what();
  }
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    broken_ = broken;
  }
  changed_.notify_all();
  on_end_(!broken.empty());
}

bool Inbox::next(v1::Command& command) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return over_ || !commands_.empty(); });
  if (commands_.empty()) return false;
  command = std::move(commands_.front());
  commands_.pop_front();
  changed_.notify_all();
  return true;
}

std::string Inbox::broken() {
  const std::lock_guard lock(mutex_);
  return broken_;
}

}  // namespace rpcbench::worker
