// The changes of a level that is the whole number nearest to what stages say, read forwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "load/schedule.h"

namespace rpcbench::load {

class Levels {
 public:
  // Begins with the level of the begin. There is at least one stage.
  explicit Levels(std::vector<Stage> stages);

  // The level that was reached, and when; what lies in the future is for the reader to wait for.
  int64_t level() const { return level_; }
  int64_t at_ns() const { return at_ns_; }

  // Goes on to the next change. Returns false where there is none.
  bool next();

 private:
  bool change(int64_t to, int64_t at);

  std::vector<Stage> stages_;
  std::size_t stage_ = 0;  // that was reached; their number after the last change
  int64_t began_ns_ = 0;   // when it began
  bool entered_ = false;   // its first level is among the changes that were read
  int64_t level_;
  int64_t at_ns_ = 0;
};

}  // namespace rpcbench::load
