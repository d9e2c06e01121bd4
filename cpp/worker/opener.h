// Implements connect and first_call with any stack's dial.
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

// A call opens a connection, which blocks, and if requested completes one empty unary call on it; after closes it. Each
// slot has a thread for that. A call that is started by the end of the previous one, as in a closed load, needs no
// handover.
class Opener final : public stack::Caller, private stack::Listener {
 public:
  using Dial = std::function<std::unique_ptr<stack::Conn>()>;

  // Makes the Caller for connect or first_call.
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
  void done(const stack::Failure* failure) override;  // of the call on the connection

  const bool calls_;
  const int64_t deadline_ns_;
  const Dial dial_;

  std::mutex mutex_;  // guards the fields below
  std::condition_variable changed_;
  stack::Listener* listener_ = nullptr;  // of a call that is yet to be made
  stack::Caller* running_ = nullptr;     // the call on the connection, while it runs
  bool answered_ = false;
  bool ended_ = false;
  std::atomic<bool> cancelled_ = false;

  // Used only by the thread.
  std::unique_ptr<stack::Conn> conn_;
  std::unique_ptr<stack::Caller> inner_;
  std::unique_ptr<stack::Failure> failure_;
  stack::Failure wrong_;
  std::thread thread_;
};

}  // namespace rpcbench::worker
