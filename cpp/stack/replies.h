// Checks the replies to one Caller's calls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "stack/call.h"
#include "stack/code.h"

namespace rpcbench::stack {

// Assigns ids to the operations of calls and checks the replies. During a call it checks the number of replies, and if
// there are several, their lengths and ids. The rest is checked after the call; if there are several replies, that is
// the bytes of the last one. So checking adds almost nothing to the measured time, and memory does not grow with the
// number of messages.
//
// T reads the messages of a service: T::Response, and T::count, T::id and T::payload of answer i in it. A BatchService
// response has an answer for every operation. A BenchmarkService response is itself the only answer, without an id.
template <typename T>
class Replies {
 public:
  using Response = typename T::Response;

  // Checks the calls of a slot, whose operation ids differ from those of other slots.
  Replies(const Call& call, int slot)
      : sent_(call.messages_out()),
        want_(call.messages_in()),
        next_(static_cast<uint64_t>(slot) * kSlotIds),
        call_(call),
        seen_(static_cast<std::size_t>(call.batch), false) {}

  // Starts a call.
  void begin() {
    first_ = next_;
    next_ += static_cast<uint64_t>(sent_ * call_.batch);
    got_ = 0;
    wrong_.clear();
    last_ = nullptr;
    complete_ = false;
  }

  // Returns the id of the first operation in message i of the call; the others follow it.
  uint64_t first_id(int64_t i) const { return first_ + static_cast<uint64_t>(i * call_.batch); }

  // Counts a reply, which must live until the next reply or call. Returns whether it is the last one expected.
  bool add(const Response& reply) {
    ++got_;
    last_ = &reply;
    if (wrong_.empty() && got_ <= want_) {
      if (call_.batch == 0) {
        check_length(T::payload(reply, 0), "reply", got_);
      } else if (want_ > 1) {
        match(false);
      }
    }
    return got_ == want_;
  }

  int64_t got() const { return got_; }

  // Marks the call as successful.
  void end() { complete_ = true; }

  // Implements Caller::after: null after a failed call, MISMATCH after a wrong reply.
  const Failure* verify() {
    if (!complete_) return nullptr;
    find_mismatch();
    if (wrong_.empty()) return nullptr;
    failure_ = {Code::kMismatch, wrong_};
    return &failure_;
  }

 private:
  // The size of a slot's id range. It far exceeds the number of operations in flight, so no answer can be mistaken for
  // another's.
  static constexpr uint64_t kSlotIds = uint64_t{1} << 40;

  void find_mismatch() {
    if (got_ != want_) {
      wrong_ = std::to_string(got_) + " replies came, expected " + std::to_string(want_);
    } else if (wrong_.empty() && call_.batch > 0) {
      match(true);
    } else if (wrong_.empty()) {
      check_bytes(T::payload(*last_, 0));
    }
  }

  void check_length(const std::string& payload, const char* what, int64_t number) {
    if (static_cast<int64_t>(payload.size()) != call_.response_bytes) {
      wrong_ = std::string(what) + ' ' + std::to_string(number) + " has " + std::to_string(payload.size()) +
               " bytes, expected " + std::to_string(call_.response_bytes);
    }
  }

  void check_bytes(const std::string& payload) {
    if (call_.expected != nullptr && payload != *call_.expected) {
      wrong_ = "the reply has " + std::to_string(payload.size()) + " bytes, expected " +
               std::to_string(call_.expected->size()) + (payload.size() == call_.expected->size() ? " others" : "");
    }
  }

  // Matches every answer in the last reply with its operation. If one reply answers many messages, it answers the last
  // of them.
  void match(bool bytes) {
    const int64_t count = T::count(*last_);
    if (count != call_.batch) {
      wrong_ = "the message has " + std::to_string(count) + " answers, expected " + std::to_string(call_.batch);
      return;
    }
    std::fill(seen_.begin(), seen_.end(), false);
    const uint64_t from = first_id(sent_ - want_ + got_ - 1);
    for (int64_t i = 0; i < call_.batch && wrong_.empty(); ++i) {
      match_one(i, from, bytes);
    }
  }

  void match_one(int64_t i, uint64_t from, bool bytes) {
    const uint64_t id = T::id(*last_, i);
    const uint64_t operation = id - from;
    if (operation >= static_cast<uint64_t>(call_.batch)) {
      wrong_ = "answer " + std::to_string(i + 1) + " has id " + std::to_string(id) + "; the operations have ids " +
               std::to_string(from) + " to " + std::to_string(from + static_cast<uint64_t>(call_.batch) - 1);
      return;
    }
    if (seen_[operation]) {
      wrong_ = "operation " + std::to_string(id) + " was answered twice";
      return;
    }
    seen_[operation] = true;
    check_length(T::payload(*last_, i), "answer", i + 1);
    if (bytes && wrong_.empty()) {
      check_bytes(T::payload(*last_, i));
    }
  }

  const int64_t sent_;  // messages per call
  const int64_t want_;  // replies per call
  uint64_t first_ = 0;  // the id of this call's first operation
  uint64_t next_;       // and of the next call
  int64_t got_ = 0;
  const Response* last_ = nullptr;
  bool complete_ = false;
  std::string wrong_;  // describes the first wrong reply
  const Call call_;
  std::vector<bool> seen_;
  Failure failure_;
};

}  // namespace rpcbench::stack
