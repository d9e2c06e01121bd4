// Server-side streams with the callback API. Each deletes itself in OnDone.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "grpc/holder.h"
#include "grpc/responder.h"
#include "stack/bounds.h"

namespace rpcbench::grpcpp {

// Answers every message of a stream: each at once, or in bursts of the size in the client's metadata. A client that
// sends a whole burst before it receives would deadlock once buffers and flow control are full. The next message is
// read only after the response is written, so a client that does not read can't fill the server's memory.
template <typename T>
class CallbackEcho final : public grpc::ServerBidiReactor<typename T::Request, typename T::Response> {
 public:
  CallbackEcho(grpc::CallbackServerContext& context, const Responder& responder)
      : responder_(responder), request_(responder.arena()), response_(responder.arena()) {
    grpc::Status status = responder.admit(context);
    if (status.ok()) status = burst_in(context, burst_);
    if (status.ok()) {
      this->StartRead(&request_.fresh());
    } else {
      this->Finish(status);
    }
  }

  void OnReadDone(bool ok) override {
    if (!ok) return this->Finish(grpc::Status::OK);
    if (burst_ > 1) return hold();
    auto& response = response_.fresh();
    const grpc::Status status = responder_.respond(request_.get(), response);
    if (!status.ok()) return this->Finish(status);
    this->StartWrite(&response);
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return this->Finish({grpc::StatusCode::CANCELLED, "the client is gone"});
    if (!held_.empty() && ++written_ < held_.size()) return write_held();
    held_.clear();
    held_bytes_ = 0;
    this->StartRead(&request_.fresh());
  }

  void OnDone() override { delete this; }

 private:
  // Collects responses until the burst is complete.
  void hold() {
    held_.emplace_back();
    const grpc::Status status = responder_.respond(request_.get(), held_.back());
    if (!status.ok()) return this->Finish(status);
    held_bytes_ += bytes_of(held_.back());
    if (held_bytes_ > stack::kMaxMessageBytes) return this->Finish(too_long(burst_));
    if (static_cast<int64_t>(held_.size()) < burst_) return this->StartRead(&request_.fresh());
    written_ = 0;
    write_held();
  }

  // Does not set the hint that more writes follow: if the messages exceed the library's write buffer, it may never
  // flush them.
  void write_held() { this->StartWrite(&held_[written_]); }

  const Responder& responder_;
  Holder<typename T::Request> request_;
  Holder<typename T::Response> response_;
  int64_t burst_ = 1;  // messages
  std::vector<typename T::Response> held_;
  std::size_t written_ = 0;  // held responses that were written
  int64_t held_bytes_ = 0;
};

// Answers the last message after the client half-closes.
template <typename T>
class CallbackLast final : public grpc::ServerReadReactor<typename T::Request> {
 public:
  CallbackLast(grpc::CallbackServerContext& context, const Responder& responder, typename T::Response& response)
      : responder_(responder), response_(response) {
    const grpc::Status status = responder.admit(context);
    if (status.ok()) {
      this->StartRead(&requests_[0]);
    } else {
      this->Finish(status);
    }
  }

  // A failed read may clear its message, so reads alternate between two.
  void OnReadDone(bool ok) override {
    if (!ok) return this->Finish(responder_.respond(requests_[(got_ + 1) & 1], response_));
    const grpc::Status status = refusal(requests_[got_ & 1]);
    if (!status.ok()) return this->Finish(status);
    ++got_;
    this->StartRead(&requests_[got_ & 1]);
  }

  void OnDone() override { delete this; }

 private:
  static grpc::Status refusal(const Singles::Request&) { return grpc::Status::OK; }
  static grpc::Status refusal(const Batches::Request& request) { return refusal_of(request); }

  const Responder& responder_;
  typename T::Response& response_;
  typename T::Request requests_[2];
  unsigned got_ = 0;
};

// Sends the response as many times as the metadata asks for, or without it until the client cancels.
class CallbackRepeat final : public grpc::ServerWriteReactor<Singles::Response> {
 public:
  CallbackRepeat(grpc::CallbackServerContext& context, const Responder& responder, const Singles::Request& request) {
    grpc::Status status = responder.admit(context);
    if (status.ok()) status = messages_in(context, left_);
    if (status.ok()) status = responder.respond(request, response_);
    if (status.ok()) {
      next();
    } else {
      Finish(status);
    }
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return Finish({grpc::StatusCode::CANCELLED, "the client is gone"});
    next();
  }

  void OnDone() override { delete this; }

 private:
  void next() {
    if (left_ == 0) return Finish(grpc::Status::OK);
    if (left_ > 0) --left_;
    StartWrite(&response_);
  }

  Singles::Response response_;
  int64_t left_ = -1;  // responses to send; negative if unlimited
};

// Sends the response to the first message repeatedly and ignores later messages. Ends after the number that the client
// asked for, or without one when the client half-closes.
class CallbackBothWays final : public grpc::ServerBidiReactor<Singles::Request, Singles::Response> {
 public:
  CallbackBothWays(grpc::CallbackServerContext& context, const Responder& responder) : responder_(responder) {
    grpc::Status status = responder.admit(context);
    if (status.ok()) status = messages_in(context, left_);
    if (status.ok()) {
      StartRead(&request_);
    } else {
      finish(status);
    }
  }

  void OnReadDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    if (!ok) {
      received_ = true;
      return complete();
    }
    if (!answering_) {
      answering_ = true;
      const grpc::Status status = responder_.respond(request_, response_);
      if (!status.ok()) return finish(status);
      next();
    }
    StartRead(&request_);
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (finished_) return;
    if (!ok) return finish({grpc::StatusCode::CANCELLED, "the client is gone"});
    next();
    complete();
  }

  void OnDone() override { delete this; }

 private:
  // The methods below are called with the lock held, except finish in the constructor.
  void finish(const grpc::Status& status) {
    finished_ = true;
    Finish(status);
  }

  void next() {
    if (left_ == 0 || (left_ < 0 && received_)) return;
    if (left_ > 0) --left_;
    writing_ = true;
    StartWrite(&response_);
  }

  void complete() {
    if (received_ && !writing_ && (left_ <= 0 || !answering_)) finish(grpc::Status::OK);
  }

  const Responder& responder_;
  std::mutex mutex_;
  Singles::Request request_;
  Singles::Response response_;
  int64_t left_ = -1;       // responses to send; negative if unlimited
  bool answering_ = false;  // the first message has arrived
  bool received_ = false;   // the client has half-closed
  bool writing_ = false;
  bool finished_ = false;
};

}  // namespace rpcbench::grpcpp
