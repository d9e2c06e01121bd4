#include "socket/sockets.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace
}  // namespace rpcbench::socket
