#include "control/pipe.h"

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace rpcbench::control {
namespace {

constexpr std::size_t kReadBytes = 64 << 10;
constexpr int kMaxVarintBits = 63;

}  // namespace

bool CommandReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kReadBytes);
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, buffer_.data() + had, kReadBytes);
  } while (got < 0 && errno == EINTR);
  buffer_.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0) throw std::runtime_error(std::string("read a command: ") + std::strerror(errno));
  return got > 0;
}

bool CommandReader::next(unsigned char& byte) {
  if (at_ == buffer_.size() && !fill()) return false;
  byte = static_cast<unsigned char>(buffer_[at_++]);
  return true;
}

// Returns false at the end of the input.
bool CommandReader::length(uint64_t& length) {
  length = 0;
  unsigned char byte = 0x80;
  for (int shift = 0; (byte & 0x80) != 0; shift += 7) {
    if (shift > kMaxVarintBits) throw std::runtime_error("read a command: its length is no number");
    if (!next(byte)) {
      if (shift == 0) return false;
      throw std::runtime_error("read a command: the input broke off");
    }
    length |= static_cast<uint64_t>(byte & 0x7F) << shift;
  }
  if (length > kMaxBytes) {
    throw std::runtime_error("read a command: it has " + std::to_string(length) + " bytes, " +
                             std::to_string(kMaxBytes) + " at most");
  }
  return true;
}

bool CommandReader::read(worker::v1::Command& command) {
  uint64_t bytes = 0;
  if (!length(bytes)) return false;
  while (buffer_.size() - at_ < bytes) {
    if (!fill()) throw std::runtime_error("read a command: the input broke off");
  }
  if (!command.ParseFromArray(buffer_.data() + at_, static_cast<int>(bytes))) {
    throw std::runtime_error("read a command: it is not valid protobuf");
  }
  at_ += bytes;
  return true;
}

void EventWriter::write(const worker::v1::Event& event) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::util::SerializeDelimitedToZeroCopyStream(event, &stream);
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t at = 0; at < bytes.size() && !closed_;) {
    const ssize_t written = ::write(descriptor_, bytes.data() + at, bytes.size() - at);
    if (written >= 0) {
      at += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      closed_ = true;
    }
  }
}

void EventWriter::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

int take_standard_output() {
  const int events = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (events < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw std::runtime_error(std::string("the worker has no standard output: ") + std::strerror(errno));
  }
  return events;
}

}  // namespace rpcbench::control
