// Streams of servers, by the library's callbacks. Each deletes itself when the library has let it go.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "grpc/holder.h"
#include "grpc/responder.h"
#include "stack/bounds.h"

namespace rpcbench::grpcpp {

// Answers every message of a stream: at once, or as many together as the client's metadata says, because a client that
// sends them all before it receives would stand still once buffers and flow control are full. It reads the next only
// when what it answered is written, so that a client that does not read can't fill the memory.
template <typename T>
class CallbackEcho final : public grpc::ServerBidiReactor<typename T::Request, typename T::Answer> {
 public:
  CallbackEcho(grpc::CallbackServerContext& context, const Responder& responder)
      : responder_(responder), request_(responder.arena()), answer_(responder.arena()) {
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
    auto& answer = answer_.fresh();
    const grpc::Status status = responder_.respond(request_.get(), answer);
    if (!status.ok()) return this->Finish(status);
    this->StartWrite(&answer);
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
  // Collects the answer until there is a burst of them.
  void hold() {
    held_.emplace_back();
    const grpc::Status status = responder_.respond(request_.get(), held_.back());
    if (!status.ok()) return this->Finish(status);
    held_bytes_ += bytes_of(held_.back());
    if (held_bytes_ > stack::kMessageBytesMost) return this->Finish(too_long(burst_));
    if (static_cast<int64_t>(held_.size()) < burst_) return this->StartRead(&request_.fresh());
    written_ = 0;
    write_held();
  }

  // The hint that more follows at once is not given: with messages that add up to more than the library's write buffer
  // it may never write them.
  void write_held() { this->StartWrite(&held_[written_]); }

  const Responder& responder_;
  Holder<typename T::Request> request_;
  Holder<typename T::Answer> answer_;
  int64_t burst_ = 1;  // messages
  std::vector<typename T::Answer> held_;
  std::size_t written_ = 0;  // of those held
  int64_t held_bytes_ = 0;
};

// Answers the last message once the client has sent all.
template <typename T>
class CallbackLast final : public grpc::ServerReadReactor<typename T::Request> {
 public:
  CallbackLast(grpc::CallbackServerContext& context, const Responder& responder, typename T::Answer& answer)
      : responder_(responder), answer_(answer) {
    const grpc::Status status = responder.admit(context);
    if (status.ok()) {
      this->StartRead(&requests_[0]);
    } else {
      this->Finish(status);
    }
  }

  // A read that ends may have cleared what it was to read into, so that two take turns.
  void OnReadDone(bool ok) override {
    if (!ok) return this->Finish(responder_.respond(requests_[(got_ + 1) & 1], answer_));
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
  typename T::Answer& answer_;
  typename T::Request requests_[2];
  unsigned got_ = 0;
};

// Sends the answer as often as the metadata says; without it until the client has enough.
class CallbackRepeat final : public grpc::ServerWriteReactor<Singles::Answer> {
 public:
  CallbackRepeat(grpc::CallbackServerContext& context, const Responder& responder, const Singles::Request& request) {
    grpc::Status status = responder.admit(context);
    if (status.ok()) status = messages_in(context, left_);
    if (status.ok()) status = responder.respond(request, answer_);
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
    StartWrite(&answer_);
  }

  Singles::Answer answer_;
  int64_t left_ = -1;  // answers to send; negative without a number
};

// Sends the answer to the first message again and again, whatever else comes: as often as the client asks for, or until
// it has sent all.
class CallbackBothWays final : public grpc::ServerBidiReactor<Singles::Request, Singles::Answer> {
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
      const grpc::Status status = responder_.respond(request_, answer_);
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
  // All below are called with the lock held, but for the first.
  void finish(const grpc::Status& status) {
    finished_ = true;
    Finish(status);
  }

  void next() {
    if (left_ == 0 || (left_ < 0 && received_)) return;
    if (left_ > 0) --left_;
    writing_ = true;
    StartWrite(&answer_);
  }

  void complete() {
    if (received_ && !writing_ && (left_ <= 0 || !answering_)) finish(grpc::Status::OK);
  }

  const Responder& responder_;
  std::mutex mutex_;
  Singles::Request request_;
  Singles::Answer answer_;
  int64_t left_ = -1;       // answers to send; negative without a number
  bool answering_ = false;  // the first message has come
  bool received_ = false;   // all of the client's messages
  bool writing_ = false;
  bool finished_ = false;
};

}  // namespace rpcbench::grpcpp
