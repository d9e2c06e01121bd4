#include "control/pipe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

namespace rpcbench::control {
namespace {

// A pipe with content whose writing end is closed.
class Written {
 public:
  explicit Written(const std::string& bytes) {
    std::array<int, 2> ends;
    if (pipe(ends.data()) != 0 || write(ends[1], bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      throw std::runtime_error("no pipe");
    }
    close(ends[1]);
    end_ = ends[0];
  }
  ~Written() { close(end_); }

  int end() const { return end_; }

 private:
  int end_;
};

std::string delimited(const worker::v1::Command& command) {
  const std::string bytes = command.SerializeAsString();
  return static_cast<char>(bytes.size()) + bytes;
}

TEST(CommandReaderTest, CommandsFollowOneAnother) {
  worker::v1::Command mark;
  mark.mutable_mark();
  worker::v1::Command stop;
  stop.mutable_stop()->set_drain_ns(5);
  const Written pipe(delimited(mark) + delimited(stop));
  CommandReader reader(pipe.end());
  worker::v1::Command command;
  ASSERT_TRUE(reader.read(command));
  EXPECT_TRUE(command.has_mark());
  ASSERT_TRUE(reader.read(command));
  EXPECT_EQ(command.stop().drain_ns(), 5);
  EXPECT_FALSE(reader.read(command));
}

TEST(CommandReaderTest, WhatIsNoCommandBreaksOff) {
  const std::array<std::string, 5> broken = {
      std::string("\x05\x22", 2),              // shorter than its length
      std::string("\x80", 1),                  // truncated length
      std::string(11, '\xff'),                 // invalid length
      std::string("\xff\xff\xff\xff\x0f", 5),  // longer than the maximum
      std::string("\x03"
                  "abc"),  // not protobuf
  };
  for (const std::string& bytes : broken) {
    const Written pipe(bytes);
    CommandReader reader(pipe.end());
    worker::v1::Command command;
    EXPECT_THROW(reader.read(command), std::runtime_error);
  }
}

TEST(EventWriterTest, EventsAreLengthDelimitedAndDroppedOnceNobodyListens) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  EventWriter writer(ends[1]);
  worker::v1::Event event;
  event.mutable_fault()->set_message("no");
  writer.write(event);
  writer.close();
  writer.write(event);
  close(ends[1]);
  std::array<char, 100> bytes;
  const ssize_t got = read(ends[0], bytes.data(), bytes.size());
  close(ends[0]);
  const std::string message = event.SerializeAsString();
  EXPECT_EQ(std::string(bytes.data(), static_cast<std::size_t>(got)), static_cast<char>(message.size()) + message);
}

}  // namespace
}  // namespace rpcbench::control
