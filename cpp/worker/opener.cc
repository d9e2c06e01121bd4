#include "worker/opener.h"

#include <pthread.h>

#include <string>
#include <utility>

namespace rpcbench::worker {
namespace {

// Longer than any deadline: the worker cancels a call whose deadline passes.
constexpr int64_t kConnectTimeoutNs = INT64_C(3600) * 1'000'000'000;

stack::Call empty_call(int64_t deadline_ns) {
  stack::Call call;
  call.kind = stack::kind::kUnary;
  call.request = std::make_shared<const std::string>();
  call.expected = call.request;
  call.deadline_ns = deadline_ns;
  return call;
}

}  // namespace

Opener::Opener(const stack::Call& call, Dial dial)
    : calls_(call.kind == stack::kind::kFirstCall), deadline_ns_(call.deadline_ns), dial_(std::move(dial)) {
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "rpcbench-open");
}

Opener::~Opener() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  cancel();
  changed_.notify_all();
  thread_.join();
}

void Opener::start(stack::Listener& listener) {
  const std::lock_guard lock(mutex_);
  cancelled_.store(false);
  listener_ = &listener;
  changed_.notify_all();
}

void Opener::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_.store(true);
  if (running_ != nullptr) running_->cancel();
}

void Opener::run() {
  while (true) {
    stack::Listener* listener = nullptr;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return listener_ != nullptr || ended_; });
      if (ended_) return;
      listener = std::exchange(listener_, nullptr);
    }
    listener->sent();
    call();
    listener->done(failure_.get());
  }
}

void Opener::call() {
  failure_.reset();
  try {
    open();
  } catch (const stack::Error& e) {
    failure_ = std::make_unique<stack::Failure>(e.failure());
  }
}

void Opener::open() {
  conn_ = dial_();
  if (!calls_) {
    conn_->ready(kConnectTimeoutNs, cancelled_);
    return;
  }
  inner_ = conn_->caller(empty_call(deadline_ns_), 0);
  call_once();
}

// Makes one call, which connects, and waits for it.
void Opener::call_once() {
  {
    const std::lock_guard lock(mutex_);
    answered_ = false;
    running_ = inner_.get();
  }
  inner_->start(*this);
  if (cancelled_.load()) inner_->cancel();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return answered_; });
  running_ = nullptr;
}

void Opener::done(const stack::Failure* failure) {
  const std::lock_guard lock(mutex_);
  if (failure != nullptr) failure_ = std::make_unique<stack::Failure>(*failure);
  answered_ = true;
  changed_.notify_all();
}

const stack::Failure* Opener::after() {
  const stack::Failure* wrong = nullptr;
  if (inner_ != nullptr) {
    if (const stack::Failure* found = inner_->after()) {
      wrong_ = *found;
      wrong = &wrong_;
    }
  }
  inner_.reset();
  conn_.reset();
  return wrong;
}

}  // namespace rpcbench::worker
