// The pipe: messages, each preceded by its length as a varint.
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
  // The most bytes of a Command; a driver's are far smaller. What is longer is refused before memory is taken.
  static constexpr uint64_t kBytesMost = 64 << 20;

  // Reads from a descriptor, which stays open.
  explicit CommandReader(int descriptor) : descriptor_(descriptor) {}

  // Reads the next; false at the end of the input. It throws std::runtime_error where the input breaks off.
  bool read(worker::v1::Command& command);

 private:
  bool fill();
  bool next(unsigned char& byte);
  bool length(uint64_t& length);

  const int descriptor_;
  std::string buffer_;
  std::size_t at_ = 0;
};

// Where Events go. Safe for concurrent use.
class EventWriter {
 public:
  // Writes to a descriptor, which stays open.
  explicit EventWriter(int descriptor) : descriptor_(descriptor) {}

  // When an event can't be written the driver is gone, and the end of the input follows: it is dropped, as all are
  // after it.
  void write(const worker::v1::Event& event);

  // Nobody listens any more: what comes from now on is dropped.
  void close();

 private:
  const int descriptor_;
  std::mutex mutex_;
  bool closed_ = false;
};

// Moves the protocol off standard output, which nothing of a library can then get into, and returns the descriptor of
// Events.
int take_standard_output();

}  // namespace rpcbench::control
