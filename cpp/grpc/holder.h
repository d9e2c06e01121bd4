// Holds one message after another.
#pragma once

#include <google/protobuf/arena.h>

#include <memory>

namespace rpcbench::grpcpp {

// On the heap one message is used again and again, which keeps its memory; with an arena each is a new one, and frees
// nothing by itself.
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

  // Makes room for the next message: on the heap it is the last one, which decoding overwrites.
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
