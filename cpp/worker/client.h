// The connections and slots of a Connect.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "load/slot_pool.h"
#include "stack/stack.h"
#include "worker.pb.h"
#include "worker/background.h"
#include "worker/check.h"
#include "worker/first_caller.h"

namespace rpcbench::worker {

class Client {
 public:
  // Opens the connections and fills the slots; throws a FaultError. It stops if ended becomes true.
  Client(const v1::Connect& command, const Stacks& stacks, const std::atomic<bool>& ended);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  const stack::Info& info() const { return stack_.info(); }
  const stack::Call& call() const { return call_; }
  load::SlotPool& pool() { return *pool_; }

  // Null for connect and first_call.
  FirstCaller* first() { return first_.get(); }

  // Null if there is no background.
  Background* background() { return background_.get(); }

  // Ends the background for good. No phase may run.
  void end();

  // Reports, after end, whether a call never returned.
  bool has_lost() const;

  // Returns the expected number of sockets.
  int64_t sockets() const { return command_.connections(); }

 private:
  void open(const std::atomic<bool>& ended);
  void open_connections(const std::atomic<bool>& ended);
  void open_at_once(uint32_t count, const std::atomic<bool>& ended);
  std::unique_ptr<stack::Conn> dial(uint32_t i);
  void fill();
  void fill_with_openers();
  std::vector<stack::Caller*> slot_callers();
  void open_background();
  void open_idle(const std::atomic<bool>& ended);

  const v1::Connect command_;
  stack::Stack& stack_;
  const stack::Call call_;
  const std::shared_ptr<const stack::Keys> keys_;
  int64_t max_reply_bytes_;
  int64_t dialed_ns_ = 0;  // when the first connection was begun, and when it was ready
  int64_t ready_ns_ = 0;
  std::vector<std::unique_ptr<stack::Conn>> conns_;
  std::vector<std::unique_ptr<stack::Caller>> callers_;
  std::unique_ptr<FirstCaller> first_;
  std::unique_ptr<load::SlotPool> pool_;
  std::unique_ptr<Background> background_;
};

}  // namespace rpcbench::worker
