// The monotonic clock.
#pragma once

#include <cstdint>
#include <ctime>

namespace rpcbench::load {

// Returns nanoseconds since an arbitrary origin.
inline int64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1'000'000'000) + now.tv_nsec;
}

}  // namespace rpcbench::load
