// Holds one message at a time.
#pragma once

#include <google/protobuf/arena.h>

#include <memory>

namespace rpcbench::grpcpp {

// On the heap, one message is reused and keeps its memory. On an arena, each message is new and frees nothing itself.
template <typename M>
class Holder {
 public:
  explicit Holder(bool arena) {
    if (arena) {
      arena_ = std::make_unique<google::protobuf::Arena>();
      fresh();
    } else {
      own_ = std::make_unique<M>();
      message_ = own_.get();
    }
  }

  bool on_arena() const { return arena_ != nullptr; }

  M& get() { return *message_; }

  // Returns the next message: on the heap the previous one, which decoding overwrites.
  M& fresh() {
    if (arena_ != nullptr) {
      arena_->Reset();
      message_ = google::protobuf::Arena::CreateMessage<M>(arena_.get());
    }
    return *message_;
  }

 private:
  std::unique_ptr<google::protobuf::Arena> arena_;
  std::unique_ptr<M> own_;
  M* message_ = nullptr;
};

}  // namespace rpcbench::grpcpp
