// Counts the sockets of this process and what crosses them.
#pragma once

#include <cstdint>

namespace rpcbench::socket {

// The RPC library opens its sockets itself, so the C library's functions that it does so by are counted on the way: the
// worker defines connect, accept4, getsockopt, sendmsg, recvmsg and close, and a dynamically linked library finds these
// first. Only streams count, TCP and Unix.
struct Counts {
  int64_t opened = 0;  // (client) or accepted (server) so far
  int64_t open = 0;    // now
  int64_t bytes_out = 0;
  int64_t bytes_in = 0;
};

Counts counts();

// When the first socket that was connected had its connection, by the monotonic clock; 0 is not yet.
int64_t first_connected_ns();

// Segments sent by the TCP sockets, and how many of them were sent again, closed sockets included.
struct Segments {
  int64_t out = 0;
  int64_t retransmits = 0;
};

Segments segments();

}  // namespace rpcbench::socket
