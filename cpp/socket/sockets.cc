#include "socket/sockets.h"

#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <map>
#include <mutex>

#include "load/clock.h"

namespace rpcbench::socket {
namespace {

// The state of a descriptor; kNone is not counted.
enum State : uint8_t { kNone, kConnecting, kOpen, kOpenTcp };

// Descriptors above this are not counted. A worker can't open as many under the usual limits.
constexpr int kMaxDescriptors = 1 << 20;

std::array<std::atomic<uint8_t>, kMaxDescriptors> states;
std::atomic<int64_t> opened;
std::atomic<int64_t> open_now;
std::atomic<int64_t> first_connected;
std::atomic<int64_t> opened_tcp;

// Of TCP sockets.
std::mutex asking;  // guards the fields below, and sockets that are asked from being closed
Segments of_closed;
bool segments_unknown = false;  // of a closed socket

// Returns what open sockets had sent when they were last asked. It is never destroyed: libraries close sockets until the end.
std::map<int, Segments>& asked() {
  static auto& all = *new std::map<int, Segments>();
  return all;
}

// Traffic of one thread, on its own cache line.
struct alignas(64) Traffic {
  std::atomic<int64_t> out;
  std::atomic<int64_t> in;
};
constexpr std::size_t kLines = 64;
std::array<Traffic, kLines> traffic;
std::atomic<std::size_t> lines_taken;

Traffic& thread_traffic() {
  thread_local Traffic& own = traffic[lines_taken.fetch_add(1) % kLines];
  return own;
}

std::atomic<uint8_t>* state_of(int descriptor) {
  return descriptor >= 0 && descriptor < kMaxDescriptors ? &states[static_cast<std::size_t>(descriptor)] : nullptr;
}

bool is_open(int descriptor) {
  const std::atomic<uint8_t>* state = state_of(descriptor);
  return state != nullptr && state->load(std::memory_order_relaxed) >= kOpen;
}

int option_of(int descriptor, int option) {
  int value = -1;
  socklen_t length = sizeof value;
  // The C library's own, because this file's getsockopt would recurse.
  static const auto real = reinterpret_cast<int (*)(int, int, int, void*, socklen_t*)>(dlsym(RTLD_NEXT, "getsockopt"));
  return real(descriptor, SOL_SOCKET, option, &value, &length) == 0 ? value : -1;
}

bool is_stream(int descriptor) { return option_of(descriptor, SO_TYPE) == SOCK_STREAM; }

void set_open(int descriptor) {
  std::atomic<uint8_t>* state = state_of(descriptor);
  if (state == nullptr) return;
  const int domain = option_of(descriptor, SO_DOMAIN);
  const bool tcp = domain == AF_INET || domain == AF_INET6;
  state->store(tcp ? kOpenTcp : kOpen);
  opened.fetch_add(1);
  if (tcp) opened_tcp.fetch_add(1);
  open_now.fetch_add(1);
}

void connected(int descriptor) {
  int64_t none = 0;
  first_connected.compare_exchange_strong(none, load::monotonic_ns());
  set_open(descriptor);
}

// Asks the kernel what a socket has sent so far.
std::optional<Segments> ask(int descriptor) {
  tcp_info info = {};
  socklen_t length = sizeof info;
  static const auto real = reinterpret_cast<int (*)(int, int, int, void*, socklen_t*)>(dlsym(RTLD_NEXT, "getsockopt"));
  const bool known = real(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
                     length >= offsetof(tcp_info, tcpi_segs_in) + sizeof info.tcpi_segs_in;
  if (!known) return std::nullopt;
  Segments& sent = asked()[descriptor];
  sent.count_on({info.tcpi_segs_out, info.tcpi_total_retrans, info.tcpi_segs_in});
  return sent;
}

// Keeps what a socket has sent that is about to be closed.
void keep(int descriptor) {
  if (const std::optional<Segments> last = ask(descriptor)) {
    of_closed.add(*last);
  } else {
    segments_unknown = true;
  }
  asked().erase(descriptor);
}

void closing(int descriptor) {
  std::atomic<uint8_t>* state = state_of(descriptor);
  if (state == nullptr || state->load(std::memory_order_relaxed) == kNone) return;
  const std::lock_guard lock(asking);
  const uint8_t was = state->exchange(kNone);
  if (was == kOpenTcp) keep(descriptor);
  if (was >= kOpen) open_now.fetch_sub(1);
}

// Returns a count that was seen before when the kernel's counter says now.
int64_t counted_on(int64_t seen, int64_t now) { return seen + static_cast<uint32_t>(now - seen); }

}  // namespace

void Segments::count_on(const Segments& now) {
  out = counted_on(out, now.out);
  retransmits = counted_on(retransmits, now.retransmits);
  in = counted_on(in, now.in);
}

void Segments::add(const Segments& more) {
  out += more.out;
  retransmits += more.retransmits;
  in += more.in;
}

Counts counts() {
  Counts now;
  now.opened = opened.load();
  now.open = open_now.load();
  for (const Traffic& line : traffic) {
    now.bytes_out += line.out.load(std::memory_order_relaxed);
    now.bytes_in += line.in.load(std::memory_order_relaxed);
  }
  return now;
}

void begin_anew() {
  opened.store(0);
  first_connected.store(0);
  opened_tcp.store(0);
  {
    const std::lock_guard lock(asking);
    of_closed = {};
    segments_unknown = false;
  }
  for (Traffic& line : traffic) {
    line.out.store(0);
    line.in.store(0);
  }
}

int64_t first_connected_ns() { return first_connected.load(); }

std::optional<Segments> segments() {
  const std::lock_guard lock(asking);
  if (segments_unknown || (opened.load() > 0 && opened_tcp.load() == 0)) return std::nullopt;
  Segments all = of_closed;
  for (int descriptor = 0, left = static_cast<int>(open_now.load()); left > 0 && descriptor < kMaxDescriptors;
       ++descriptor) {
    const uint8_t state = states[static_cast<std::size_t>(descriptor)].load();
    if (state < kOpen) continue;
    --left;
    if (state == kOpenTcp) {
      const std::optional<Segments> sent = ask(descriptor);
      if (!sent) return std::nullopt;
      all.add(*sent);
    }
  }
  return all;
}

}  // namespace rpcbench::socket

// Replacements for the C library's functions, which call the originals.
extern "C" {

using namespace rpcbench::socket;

#define RPCBENCH_REAL(name) static const auto real = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

int connect(int descriptor, const sockaddr* address, socklen_t length) {
  RPCBENCH_REAL(connect);
  const bool counts = address != nullptr && address->sa_family != AF_UNSPEC && is_stream(descriptor);
  const int result = real(descriptor, address, length);
  const int error = errno;
  if (counts && result == 0) {
    connected(descriptor);
  } else if (counts && error == EINPROGRESS) {
    if (auto* state = state_of(descriptor)) state->store(kConnecting);
  }
  errno = error;
  return result;
}

// libgrpc 1.51 reads connect's errno only after it has registered the descriptor here. Any lock that it takes in between may
// set another: the first that two threads want makes Abseil look for a file that few kernels have (tsc_freq_khz), and a
// connection that was in progress failed with "No such file or directory".
int epoll_ctl(int epoll, int operation, int descriptor, epoll_event* event) noexcept {
  RPCBENCH_REAL(epoll_ctl);
  const int result = real(epoll, operation, descriptor, event);
  const auto* state = state_of(descriptor);
  if (result == 0 && operation == EPOLL_CTL_ADD && state != nullptr && state->load() == kConnecting) errno = EINPROGRESS;
  return result;
}

int accept4(int listener, sockaddr* __restrict address, socklen_t* __restrict length, int flags) {
  RPCBENCH_REAL(accept4);
  const int descriptor = real(listener, address, length, flags);
  const int error = errno;
  if (descriptor >= 0) set_open(descriptor);
  errno = error;
  return descriptor;
}

// The library calls it to find out whether a pending connection succeeded.
int getsockopt(int descriptor, int level, int option, void* __restrict value, socklen_t* __restrict length) noexcept {
  RPCBENCH_REAL(getsockopt);
  const int result = real(descriptor, level, option, value, length);
  if (result == 0 && level == SOL_SOCKET && option == SO_ERROR && *static_cast<int*>(value) == 0) {
    auto* state = state_of(descriptor);
    if (state != nullptr && state->load() == kConnecting) connected(descriptor);
  }
  return result;
}

ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  RPCBENCH_REAL(sendmsg);
  const ssize_t sent = real(descriptor, message, flags);
  if (sent > 0 && is_open(descriptor)) thread_traffic().out.fetch_add(sent, std::memory_order_relaxed);
  return sent;
}

ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  RPCBENCH_REAL(recvmsg);
  const ssize_t received = real(descriptor, message, flags);
  if (received > 0 && is_open(descriptor)) thread_traffic().in.fetch_add(received, std::memory_order_relaxed);
  return received;
}

int close(int descriptor) {
  RPCBENCH_REAL(close);
  closing(descriptor);
  return real(descriptor);
}

}  // extern "C"
