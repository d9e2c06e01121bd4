// An open stream that slots share, of ping_pong and burst.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grpc/holder.h"
#include "grpc/link.h"
#include "grpc/rpc.h"
#include "grpc/status.h"
#include "stack/caller.h"
#include "stack/replies.h"

namespace rpcbench::grpcpp {

template <typename T>
class EchoCaller;

// A slot joins the queue and its messages are sent, one or a burst; echoes come in the order of the messages, and each
// goes to the first in the queue, which leaves it with its last. A slot that leaves before its echoes have come leaves
// its place to them. When the stream breaks all who wait fail, and the next call opens another; so it does when nobody
// is left who waits.
//
// A stream that carries a number of calls is half-closed behind the last reply, and that call ends with the stream,
// which the server ends well.
//
// No slot hears that its call is over while the lock is held: what is done then may want other locks.
template <typename T>
class Echo {
 public:
  Echo(Api<T>& api, const Link& link, const stack::Call& call) : api_(api), link_(link), call_(call) {}
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;

  // Waits until the library has let go of all streams.
  ~Echo() {
    std::unique_lock lock(mutex_);
    if (stream_ != nullptr) drop(nullptr);
    idle_.wait(lock, [this] { return streams_ == 0; });
  }

  // Makes the Caller of a slot.
  std::unique_ptr<stack::Caller> caller(int slot) { return std::make_unique<EchoCaller<T>>(*this, call_, slot, link_); }

 private:
  friend class EchoCaller<T>;
  class Stream;

  // A slot's place in the queue; its slot is null where it was left.
  struct Place {
    EchoCaller<T>* slot;
    int64_t sent = 0;  // messages
    int64_t due;       // echoes

    bool awaits_echo(int64_t of) const { return sent > of - due; }
  };

  // What happened while the lock was held, to be told without it.
  struct News {
    EchoCaller<T>* answered = nullptr;
    std::vector<EchoCaller<T>*> failed;
    stack::Failure failure;

    void tell() {
      if (answered != nullptr) answered->answered();
      for (EchoCaller<T>* slot : failed) {
        slot->failed(failure);
      }
    }
  };

  // Sends the messages of a slot's call.
  void send(EchoCaller<T>& slot) {
    std::unique_lock lock(mutex_);
    queue_.push_back(Place{&slot, 0, call_.messages_out()});
    if (stream_ == nullptr) {
      open();  // which writes when it is open
      Stream& stream = *stream_;
      lock.unlock();
      stream.start();
      return;
    }
    stream_->write_next();
  }

  // Ends the wait of a slot, if it waits.
  void leave(EchoCaller<T>& slot) {
    News news;
    {
      const std::lock_guard lock(mutex_);
      const auto own =
          std::find_if(queue_.begin(), queue_.end(), [&](const Place& place) { return place.slot == &slot; });
      if (own == queue_.end()) return;
      own->slot = nullptr;
      if (own->sent == 0) queue_.erase(own);  // no echo will come
      news.failure = {stack::Code::kCancelled, "cancelled"};
      news.failed.push_back(&slot);
      const bool others =
          std::any_of(queue_.begin(), queue_.end(), [](const Place& place) { return place.slot != nullptr; });
      if (!others && stream_ != nullptr) drop(nullptr);  // no waiting slot is left to be told
    }
    news.tell();
  }

  // All below are called with the lock held.

  void open() {
    stream_ = new Stream(*this);
    ++streams_;
  }

  // Ends the stream and all calls that wait for it, whose slots are added to failed.
  void drop(std::vector<EchoCaller<T>*>* failed) {
    stream_->cancel();
    stream_ = nullptr;
    for (const Place& place : queue_) {
      if (place.slot != nullptr && failed != nullptr) failed->push_back(place.slot);
    }
    queue_.clear();
    written_ = 0;
  }

  // Takes the first place out of the queue, and returns its slot, null where it was left.
  EchoCaller<T>* pop() {
    EchoCaller<T>* slot = queue_.front().slot;
    queue_.pop_front();
    --written_;
    return slot;
  }

  Api<T>& api_;
  const Link& link_;
  const stack::Call call_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::deque<Place> queue_;
  std::size_t written_ = 0;   // places at the front of the queue all of whose messages were written
  Stream* stream_ = nullptr;  // null where none is open; one that was dropped lives until the library lets it go
  int streams_ = 0;           // that live
};

// A slot of ping_pong or burst.
template <typename T>
class EchoCaller final : public stack::Caller {
 public:
  EchoCaller(Echo<T>& echo, const stack::Call& call, int slot, const Link& link)
      : echo_(echo), replies_(call, slot), reply_(link.arena) {}

  void start(stack::Listener& listener) override {
    replies_.begin();
    listener_ = &listener;
    echo_.send(*this);
  }

  void cancel() override { echo_.leave(*this); }

  const stack::Failure* after() override { return replies_.verify(); }

 private:
  friend class Echo<T>;

  // Ends the call, all of whose echoes have come.
  void answered() {
    replies_.end();
    listener_->done(nullptr);
  }

  void failed(const stack::Failure& failure) { listener_->done(&failure); }

  Echo<T>& echo_;
  // What has come for the running call; guarded by the echo's lock.
  stack::Replies<T> replies_;
  Holder<typename T::Answer> reply_;
  stack::Listener* listener_ = nullptr;
};

// The stream itself. It deletes itself when the library has let it go. What it does begins with the lock.
template <typename T>
class Echo<T>::Stream final : private StreamEvents {
 public:
  explicit Stream(Echo& echo) : echo_(echo), request_(echo.link_.arena), reply_(echo.link_.arena) {
    echo.link_.prepare(context_, echo.call_);
    T::fill(request_.get(), echo.call_);
    rpc_ = echo.api_.both(context_, *this);
  }

  // Without the lock.
  void start() { rpc_->start(); }

  void cancel() { context_.TryCancel(); }

  // Writes the next message that waits, if none is being written.
  void write_next() {
    if (!open_ || writing_ || ending_) return;
    if (echo_.written_ == echo_.queue_.size()) return;
    Place& place = echo_.queue_[echo_.written_];
    if (place.slot != nullptr) first_id_ = place.slot->replies_.first_id(place.sent);
    T::number(request_.get(), first_id_);
    writing_ = true;
    if (++place.sent == echo_.call_.messages_out()) ++echo_.written_;
    rpc_->write(request_.get(), false);
  }

 private:
  bool is_current() const { return echo_.stream_ == this; }

  void on_open() override {
    const std::lock_guard lock(echo_.mutex_);
    open_ = true;
    rpc_->read(reply_.fresh());
    if (is_current()) write_next();
  }

  void on_write(bool ok) override {
    const std::lock_guard lock(echo_.mutex_);
    writing_ = false;
    if (ok && is_current()) write_next();
  }

  void on_read(bool ok) override {
    if (!ok) return;
    News news;
    {
      const std::lock_guard lock(echo_.mutex_);
      if (is_current()) take(news);
      rpc_->read(reply_.fresh());
    }
    news.tell();
  }

  // Gives the slot whose turn it is its echo.
  void take(News& news) {
    if (ending_ || echo_.queue_.empty() || !echo_.queue_.front().awaits_echo(echo_.call_.messages_out())) {
      news.failure = {stack::Code::kInternal, "a message arrived that answers no request"};
      echo_.drop(&news.failed);  // those that come next could not be told from answers
      return;
    }
    Place& place = echo_.queue_.front();
    --place.due;
    if (place.slot != nullptr) {
      std::swap(reply_, place.slot->reply_);
      place.slot->replies_.add(place.slot->reply_.get());
    }
    if (place.due > 0 || place.sent < echo_.call_.messages_out()) return;
    if (++carried_ == echo_.call_.per_stream) {
      ending_ = true;
      rpc_->writes_done();
      return;
    }
    news.answered = echo_.pop();
  }

  void on_done(const grpc::Status& status) override {
    News news;
    Echo& echo = echo_;
    {
      const std::lock_guard lock(echo.mutex_);
      if (is_current()) end(status, news);
    }
    news.tell();
    delete this;
    const std::lock_guard lock(echo.mutex_);
    --echo.streams_;
    echo.idle_.notify_all();
  }

  void end(const grpc::Status& status, News& news) {
    if (ending_ && status.ok()) {
      news.answered = echo_.pop();
      echo_.stream_ = nullptr;
      return;
    }
    // An end that the server calls good is none for a call that waits.
    news.failure =
        status.ok() ? stack::Failure{stack::Code::kUnavailable, "the server ended the stream"} : failure_of(status);
    echo_.drop(&news.failed);
  }

  Echo& echo_;
  grpc::ClientContext context_;
  Holder<typename T::Request> request_;
  Holder<typename T::Answer> reply_;
  std::unique_ptr<StreamRpc<T>> rpc_;
  bool open_ = false;
  bool writing_ = false;
  uint64_t first_id_ = 0;  // of the message that was written last
  int64_t carried_ = 0;    // calls
  bool ending_ = false;
};

}  // namespace rpcbench::grpcpp
