// Counts this process's sockets and their traffic.
#pragma once

#include <cstdint>
#include <optional>

namespace rpcbench::socket {

// The RPC library opens its sockets itself, so they are counted by replacing the C library's functions: the worker
// defines connect, epoll_ctl, accept4, getsockopt, sendmsg, recvmsg and close, which dynamic linking finds first. Only
// stream sockets (TCP and Unix) are counted.
struct Counts {
  int64_t opened = 0;  // (client) or accepted (server) in total
  int64_t open = 0;    // currently
  int64_t bytes_out = 0;
  int64_t bytes_in = 0;
};

Counts counts();

// Starts counting anew, from 0. No socket may be open.
void begin_anew();

// Returns when the first socket was connected, on the monotonic clock; 0 if none has been.
int64_t first_connected_ns();

// Segments that TCP sockets, including closed ones, have sent, sent again, and received.
struct Segments {
  int64_t out = 0;
  int64_t retransmits = 0;
  int64_t in = 0;

  // Counts on to what the kernel's counters, which have 32 bits and wrap, say now.
  void count_on(const Segments& now);

  void add(const Segments& more);
};

// Returns nothing if the kernel does not tell them of every TCP socket, or if all sockets are others.
std::optional<Segments> segments();

}  // namespace rpcbench::socket
