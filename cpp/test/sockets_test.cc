#include "socket/sockets.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>

namespace rpcbench::socket {
namespace {

// A socket that listens at a port of its own on 127.0.0.1.
sockaddr_in listen_on(int descriptor) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  EXPECT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), length), 0);
  EXPECT_EQ(listen(descriptor, 1), 0);
  EXPECT_EQ(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length), 0);
  return address;
}

// As libgrpc does it: what connect says is read after the descriptor was registered.
TEST(Sockets, AConnectionStaysInProgressWhateverSetsErrno) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int epoll = epoll_create1(0);
  const sockaddr_in address = listen_on(listener);

  ASSERT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), -1);
  ASSERT_EQ(errno, EINPROGRESS);
  errno = ENOENT;
  epoll_event event = {};
  ASSERT_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event), 0);
  EXPECT_EQ(errno, EINPROGRESS);

  // Another descriptor, and a failure, leave errno as the system has it.
  errno = ENOENT;
  ASSERT_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event), 0);
  EXPECT_EQ(errno, ENOENT);
  ASSERT_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event), -1);
  EXPECT_EQ(errno, EEXIST);

  for (const int descriptor : {epoll, client, listener}) close(descriptor);
}

// Connects two stream sockets of a domain at the address, and returns them.
std::array<int, 2> connect_over(int domain, const sockaddr* address, socklen_t length, int listener) {
  const int client = ::socket(domain, SOCK_STREAM, 0);
  EXPECT_EQ(connect(client, address, length), 0);
  return {client, accept4(listener, nullptr, nullptr, 0)};
}

// Sends a byte from the first to the second.
void send_byte(const std::array<int, 2>& ends) {
  char byte = 'x';
  iovec data = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  EXPECT_EQ(sendmsg(ends[0], &message, 0), 1);
  EXPECT_EQ(recvmsg(ends[1], &message, 0), 1);
}

TEST(Sockets, SegmentsOfTcpAreCountedBothWays) {
  begin_anew();
  EXPECT_EQ(segments().value_or(Segments{.out = 1}).out, 0) << "no socket was opened";
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = listen_on(listener);
  const std::array<int, 2> ends =
      connect_over(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address, listener);
  send_byte(ends);

  const std::optional<Segments> open = segments();
  ASSERT_TRUE(open.has_value());
  // Each has sent a SYN; the client also an ACK and the byte, and the server at most an ACK of that.
  EXPECT_GE(open->out, 4);
  EXPECT_GE(open->in, 4);
  EXPECT_LE(std::abs(open->out - open->in), 1) << "on loopback what one sends the other receives";
  EXPECT_EQ(open->retransmits, 0);

  for (const int descriptor : ends) close(descriptor);
  const std::optional<Segments> closed = segments();
  ASSERT_TRUE(closed.has_value());
  EXPECT_GE(closed->out, open->out);
  EXPECT_GE(closed->in, open->in);
  close(listener);
  begin_anew();
  EXPECT_EQ(segments().value_or(Segments{.in = 1}).in, 0) << "they are of the Connect before";
}

// The kernel's counters have 32 bits.
TEST(Sockets, SegmentsAreCountedOnWhereTheKernelsCountersWrap) {
  constexpr int64_t kLast = 0xffff'ffff;
  Segments sent;
  sent.count_on({kLast - 15, 5, kLast});
  EXPECT_EQ(sent.out, kLast - 15);
  EXPECT_EQ(sent.retransmits, 5);
  EXPECT_EQ(sent.in, kLast);
  sent.count_on({16, 7, kLast});
  EXPECT_EQ(sent.out, kLast - 15 + 32);
  EXPECT_EQ(sent.retransmits, 7);
  EXPECT_EQ(sent.in, kLast);
  sent.count_on({15, 7, 0});
  EXPECT_EQ(sent.out, kLast - 15 + 32 + kLast) << "nearly once around";
  EXPECT_EQ(sent.in, kLast + 1);
}

// A socket gets the descriptor of one that was closed.
TEST(Sockets, ASocketBeginsToCountAnew) {
  begin_anew();
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = listen_on(listener);
  int64_t sent = 0;
  for (int i = 0; i < 3; ++i) {
    const std::array<int, 2> ends =
        connect_over(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address, listener);
    for (int byte = 0; byte < 20 >> i; ++byte) send_byte(ends);
    const std::optional<Segments> open = segments();
    ASSERT_TRUE(open.has_value());
    EXPECT_GT(open->out, sent);
    EXPECT_LT(open->out, sent + 1'000);
    sent = open->out;
    for (const int descriptor : ends) close(descriptor);
  }
  close(listener);
}

TEST(Sockets, UnixSocketsHaveNoSegments) {
  begin_anew();
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  socklen_t length = sizeof(sa_family_t);
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), length), 0) << "the kernel picks a name";
  ASSERT_EQ(listen(listener, 1), 0);
  length = sizeof address;
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length), 0);
  const std::array<int, 2> ends = connect_over(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), length, listener);
  send_byte(ends);
  EXPECT_FALSE(segments().has_value());
  for (const int descriptor : ends) close(descriptor);
  EXPECT_FALSE(segments().has_value());
  close(listener);
}

}  // namespace
}  // namespace rpcbench::socket
