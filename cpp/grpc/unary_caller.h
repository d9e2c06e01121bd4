// A slot that makes unary calls.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include "grpc/holder.h"
#include "grpc/link.h"
#include "grpc/status.h"
#include "stack/caller.h"
#include "stack/replies.h"

namespace rpcbench::grpcpp {

// What the slots of both APIs do. An API implements start, which calls prepare, and calls finish at the end. It is no
// object of its own behind an interface, because a call costs little more than its cache misses, and each function and
// object on its path adds some.
template <typename T>
class UnaryCaller : public stack::Caller {
 public:
  UnaryCaller(const Link& link, const stack::Call& call, int slot)
      : request_(link.arena), response_(link.arena), running_(link, call), replies_(call, slot), call_(call) {
    T::fill(request_.get(), call_);
  }

  void cancel() final { running_.cancel(); }

  const stack::Failure* after() final {
    running_.end();
    return replies_.verify();
  }

 protected:
  // Prepares the request, the response and the context of the next call, and returns the context.
  grpc::ClientContext& prepare(stack::Listener& listener) {
    listener_ = &listener;
    replies_.begin();
    auto& request = request_.fresh();
    if (request_.on_arena()) T::fill(request, call_);
    T::number(request, replies_.first_id(0));
    T::await(response_.fresh());
    return running_.begin();
  }

  // Ends the call, which the library has released. The next call may start before this returns.
  void finish(const grpc::Status& status) {
    if (status.ok()) {
      if (T::came(response_.get())) replies_.add(response_.get());
      replies_.end();
      listener_->done(nullptr);
    } else {
      const stack::Failure failure = failure_of(status);
      listener_->done(&failure);
    }
  }

  const typename T::Request& request() { return request_.get(); }
  typename T::Response& response() { return response_.get(); }

 private:
  stack::Listener* listener_ = nullptr;
  Holder<typename T::Request> request_;
  Holder<typename T::Response> response_;
  Running running_;
  stack::Replies<T> replies_;
  const stack::Call call_;
};

}  // namespace rpcbench::grpcpp
