// Reads commands on its own thread, so that the end of the input is noticed while a command is carried out.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "control/pipe.h"

namespace rpcbench::worker {

class Inbox {
 public:
  // Reads from a descriptor. It calls on_end once, when the input has ended or was truncated, possibly while a command
  // is being carried out.
  Inbox(int descriptor, std::function<void(bool broken)> on_end);
  ~Inbox();

  // Waits for the next command; returns false after the last.
  bool next(v1::Command& command);

  // Returns why the input was truncated; empty if it ended cleanly.
  std::string broken();

 private:
  void read();

  control::CommandReader reader_;
  const std::function<void(bool broken)> on_end_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::Command> commands_;
  bool over_ = false;
  std::string broken_;
  std::thread thread_;
};

}  // namespace rpcbench::worker
