// Reads commands on its own thread, so that the end of the input is noticed while one is carried out.
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
  // Reads from a descriptor. It calls on_end once, when that has ended or has broken off, while a command may still be
  // carried out.
  Inbox(int descriptor, std::function<void(bool broken)> on_end);
  ~Inbox();

  // Waits for the next command; false after the last.
  bool next(v1::Command& command);

  // Why there are no more commands; empty where the input ended well.
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
