// Makes connect and first_call out of any stack's dial.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "stack/caller.h"
#include "stack/stack.h"

namespace rpcbench::worker {

// A call opens a connection, which blocks, and completes one empty unary call on it where that is asked for; after
// closes it. A slot has a thread for that; a call that is begun by the end of the one before it, as in a closed load,
// costs no hand-over.
class Opener final : public stack::Caller, private stack::Listener {
 public:
  using Dial = std::function<std::unique_ptr<stack::Conn>()>;

  // Makes the Caller of a connect or first_call.
  Opener(const stack::Call& call, Dial dial);
  ~Opener() override;

  void start(stack::Listener& listener) override;
  void cancel() override;
  const stack::Failure* after() override;

 private:
  void run();
  void call();
  void open();
  void call_once();
  void done(const stack::Failure* failure) override;  // of the one call

  const bool calls_;
  const int64_t deadline_ns_;
  const Dial dial_;

  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  stack::Listener* listener_ = nullptr;  // of a call that is to be made
  stack::Caller* running_ = nullptr;     // the one call, while it runs
  bool answered_ = false;
  bool ended_ = false;
  std::atomic<bool> cancelled_ = false;

  // Of the thread.
  std::unique_ptr<stack::Conn> conn_;
  std::unique_ptr<stack::Caller> inner_;
  std::unique_ptr<stack::Failure> failure_;
  stack::Failure wrong_;
  std::thread thread_;
};

}  // namespace rpcbench::worker
