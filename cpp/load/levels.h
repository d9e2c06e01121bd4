// The steps of a level that follows stages, rounded to the nearest integer, read forwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "load/schedule.h"

namespace rpcbench::load {

class Levels {
 public:
  // Starts at the first stage's initial level. There must be at least one stage.
  explicit Levels(std::vector<Stage> stages);

  // The current level, and the time of its change. The caller waits for times in the future.
  int64_t level() const { return level_; }
  int64_t at_ns() const { return at_ns_; }

  // Advances to the next change; returns false if there is none.
  bool next();

 private:
  bool change(int64_t to, int64_t at);

  std::vector<Stage> stages_;
  std::size_t stage_ = 0;  // the current stage; the number of stages after the last change
  int64_t began_ns_ = 0;   // when the current stage began
  bool entered_ = false;   // its initial level has been read
  int64_t level_;
  int64_t at_ns_ = 0;
};

}  // namespace rpcbench::load
