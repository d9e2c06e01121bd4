// The control pipe: messages, each preceded by its length as a varint.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "worker.pb.h"

namespace rpcbench::control {

// Reads Commands.
class CommandReader {
 public:
  // The maximum length of a Command; a driver's are much shorter. Longer ones are refused before memory is allocated.
  static constexpr uint64_t kMaxBytes = 64 << 20;

  // Reads from a descriptor, which stays open.
  explicit CommandReader(int descriptor) : descriptor_(descriptor) {}

  // Reads the next Command; returns false at the end of the input. Throws std::runtime_error if the input is truncated.
  bool read(worker::v1::Command& command);

 private:
  bool fill();
  bool next(unsigned char& byte);
  bool length(uint64_t& length);

  const int descriptor_;
  std::string buffer_;
  std::size_t at_ = 0;
};

// Writes Events. Safe for concurrent use.
class EventWriter {
 public:
  // Writes to a descriptor, which stays open.
  explicit EventWriter(int descriptor) : descriptor_(descriptor) {}

  // Writes an event. If a write fails, the driver is gone and the end of the input follows: this event and all later
  // ones are dropped.
  void write(const worker::v1::Event& event);

  // Drops all events from now on.
  void close();

 private:
  const int descriptor_;
  std::mutex mutex_;
  bool closed_ = false;
};

// Moves the protocol off standard output, so that output from libraries can't corrupt it, and returns the descriptor
// for Events.
int take_standard_output();

}  // namespace rpcbench::control
