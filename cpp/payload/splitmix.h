// SplitMix64.
#pragma once

#include <cstdint>

namespace rpcbench::payload {

// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014; java.util.SplittableRandom.
class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace rpcbench::payload
