// A slot whose calls each open a stream: stream, upload, download, both_ways.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "grpc/holder.h"
#include "grpc/link.h"
#include "grpc/rpc.h"
#include "grpc/status.h"
#include "stack/caller.h"
#include "stack/replies.h"

namespace rpcbench::grpcpp {

template <typename T>
class StreamCaller final : public stack::Caller, private StreamEvents {
 public:
  StreamCaller(Api<T>& api, const Link& link, const stack::Call& call, int slot)
      : api_(api),
        call_(call),
        uploads_(call.kind == stack::kind::kUpload),
        downloads_(call.kind == stack::kind::kDownload),
        tells_server_(downloads_ || call.kind == stack::kind::kBothWays),
        replies_(call, slot),
        request_(link.arena),
        responses_{Holder<typename T::Response>(link.arena), Holder<typename T::Response>(link.arena)},
        running_(link, call) {
    T::fill(request_.get(), call_);
  }

  void start(stack::Listener& listener) override {
    listener_ = &listener;
    replies_.begin();
    written_ = 0;
    full_ = false;
    rpc_.reset();  // it is in the memory of the call, which is freed with the context
    grpc::ClientContext& context = running_.begin();
    if (request_.on_arena()) T::fill(request_.fresh(), call_);
    rpc_ = open(context);
    rpc_->start();
  }

  void cancel() override { running_.cancel(); }

  const stack::Failure* after() override {
    running_.end();
    return replies_.verify();
  }

 private:
  std::unique_ptr<StreamRpc<T>> open(grpc::ClientContext& context) {
    if (uploads_) {
      T::await(responses_[0].fresh());
      return api_.up(context, responses_[0].get(), *this);
    }
    if (downloads_) return api_.down(context, request_.get(), *this);
    return tells_server_ ? api_.both_ways(context, *this) : api_.both(context, *this);
  }

  void on_open() override {
    if (!uploads_) read();
    if (!downloads_) write();
  }

  // Two messages alternate: the previous reply is kept until the next has arrived, as it may be the last.
  void read() { rpc_->read(responses_[static_cast<std::size_t>(replies_.got() & 1)].fresh()); }

  void write() {
    T::number(request_.get(), replies_.first_id(written_.load()));
    const bool last = written_.load() + 1 == call_.messages;
    rpc_->write(request_.get(), last);
  }

  void on_write(bool ok) override {
    if (ok && written_.fetch_add(1) + 1 < call_.messages) write();
  }

  void on_read(bool ok) override {
    if (!ok || full_) return;
    const bool enough = tells_server_ && replies_.got() == call_.messages_in();
    if (!enough) {
      replies_.add(responses_[static_cast<std::size_t>(replies_.got() & 1)].get());
    } else if (downloads_ || written_.load() >= call_.messages) {
      // A server that ignores the metadata would continue here. It has sent enough.
      full_ = true;
      running_.cancel();
    }
    read();
  }

  void on_done(const grpc::Status& status) override {
    if (status.ok() && uploads_ && T::came(responses_[0].get())) replies_.add(responses_[0].get());
    if (status.ok() || full_) {
      replies_.end();
      listener_->done(nullptr);
    } else {
      const stack::Failure failure = failure_of(status);
      listener_->done(&failure);
    }
  }

  Api<T>& api_;
  const stack::Call call_;
  const bool uploads_;
  const bool downloads_;
  const bool tells_server_;
  stack::Replies<T> replies_;
  Holder<typename T::Request> request_;
  std::array<Holder<typename T::Response>, 2> responses_;
  Running running_;
  std::unique_ptr<StreamRpc<T>> rpc_;  // destroyed before the context
  std::atomic<int64_t> written_ = 0;
  bool full_ = false;
  stack::Listener* listener_ = nullptr;
};

}  // namespace rpcbench::grpcpp
