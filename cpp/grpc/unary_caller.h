// A slot that makes unary calls.
#pragma once

#include <memory>

#include "grpc/holder.h"
#include "grpc/link.h"
#include "grpc/rpc.h"
#include "grpc/status.h"
#include "stack/caller.h"
#include "stack/reply_checker.h"

namespace rpcbench::grpcpp {

template <typename T>
class UnaryCaller final : public stack::Caller, private Api<T>::UnaryEvents {
 public:
  UnaryCaller(Api<T>& api, const Link& link, const stack::Call& call, int slot)
      : link_(link),
        call_(call),
        checker_(call, slot),
        request_(link.arena),
        response_(link.arena),
        rpc_(api.unary(*this)) {
    T::fill(request_.get(), call_);
  }

  void start(stack::Listener& listener) override {
    listener_ = &listener;
    checker_.begin();
    grpc::ClientContext& context = running_.begin(link_, call_);
    auto& request = request_.fresh();
    if (request_.on_arena()) T::fill(request, call_);
    T::number(request, checker_.first_id(0));
    rpc_->start(context, request, response_.fresh());
  }

  void cancel() override { running_.cancel(); }

  const stack::Failure* after() override {
    running_.end();
    return checker_.verify();
  }

 private:
  void on_status(const grpc::Status& status) override {
    if (status.ok()) {
      checker_.add(response_.get());
      checker_.end();
      listener_->done(nullptr);
    } else {
      const stack::Failure failure = failure_of(status);
      listener_->done(&failure);
    }
  }

  const Link& link_;
  const stack::Call call_;
  stack::ReplyChecker<T> checker_;
  Holder<typename T::Request> request_;
  Holder<typename T::Response> response_;
  Running running_;
  std::unique_ptr<typename Api<T>::Unary> rpc_;
  stack::Listener* listener_ = nullptr;
};

}  // namespace rpcbench::grpcpp
