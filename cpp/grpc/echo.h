// An open stream that slots share, for ping_pong and burst.
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

// A slot joins the queue, and the messages of its call are sent: one, or a burst. Echoes arrive in the order of the
// messages. Each belongs to the first slot in the queue, which leaves the queue with its last echo. A canceled slot
// leaves its place in the queue for its outstanding echoes. When the stream breaks, all waiting calls fail, and the
// next call opens a new stream. Canceling the last waiting call also ends the stream.
//
// A stream with a limited number of calls is half-closed after its last reply. The last call ends with the stream,
// which the server ends with OK.
//
// Listeners are not called with the lock held, because they may take other locks.
template <typename T>
class Echo {
 public:
  Echo(Api<T>& api, const Link& link, const stack::Call& call) : api_(api), link_(link), call_(call) {}
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;

  // Waits until the library has released all streams.
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

  // A place in the queue; slot is null if its call was canceled.
  struct Place {
    EchoCaller<T>* slot;
    int64_t sent = 0;  // messages
    int64_t due;       // echoes

    bool awaits_echo(int64_t of) const { return sent > of - due; }
  };

  // Events to report after the lock is released.
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
      open();  // it writes once it is open
      Stream& stream = *stream_;
      lock.unlock();
      stream.start();
      return;
    }
    stream_->write_next();
  }

  // Cancels a slot's call, if it is waiting.
  void leave(EchoCaller<T>& slot) {
    News news;
    {
      const std::lock_guard lock(mutex_);
      const auto own =
          std::find_if(queue_.begin(), queue_.end(), [&](const Place& place) { return place.slot == &slot; });
      if (own == queue_.end()) return;
      own->slot = nullptr;
      if (own->sent == 0) queue_.erase(own);  // no echo will arrive
      news.failure = {stack::Code::kCancelled, "cancelled"};
      news.failed.push_back(&slot);
      const bool others =
          std::any_of(queue_.begin(), queue_.end(), [](const Place& place) { return place.slot != nullptr; });
      if (!others && stream_ != nullptr) drop(nullptr);  // no other call has to be told
    }
    news.tell();
  }

  // The methods below are called with the lock held.

  void open() {
    stream_ = new Stream(*this);
    ++streams_;
  }

  // Ends the stream and all calls that wait for it; appends their slots to failed.
  void drop(std::vector<EchoCaller<T>*>* failed) {
    stream_->cancel();
    stream_ = nullptr;
    for (const Place& place : queue_) {
      if (place.slot != nullptr && failed != nullptr) failed->push_back(place.slot);
    }
    queue_.clear();
    written_ = 0;
  }

  // Removes the first place in the queue and returns its slot, or null if its call was canceled.
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
  std::size_t written_ = 0;   // places at the front of the queue whose messages are all written
  Stream* stream_ = nullptr;  // null if none is open; a dropped stream lives until the library releases it
  int streams_ = 0;           // number of streams that are alive
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

  // Ends the call after its last echo.
  void answered() {
    replies_.end();
    listener_->done(nullptr);
  }

  void failed(const stack::Failure& failure) { listener_->done(&failure); }

  Echo<T>& echo_;
  // The replies to the running call; guarded by the echo's lock.
  stack::Replies<T> replies_;
  Holder<typename T::Response> reply_;
  stack::Listener* listener_ = nullptr;
};

// The stream. It deletes itself in on_done. Its callbacks take the lock.
template <typename T>
class Echo<T>::Stream final : private StreamEvents {
 public:
  explicit Stream(Echo& echo) : echo_(echo), request_(echo.link_.arena), reply_(echo.link_.arena) {
    ContextSettings(echo.link_, echo.call_).apply(context_);
    T::fill(request_.get(), echo.call_);
    rpc_ = echo.api_.both(context_, *this);
  }

  // Called without the lock.
  void start() { rpc_->start(); }

  void cancel() { context_.TryCancel(); }

  // Writes the next queued message unless a write is pending.
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
    if (!ok || !is_current()) return;
    if (ending_) {
      half_close();
    } else {
      write_next();
    }
  }

  void on_read(bool ok) override {
    News news;
    {
      const std::lock_guard lock(echo_.mutex_);
      if (!ok) {
        open_ = false;  // the library may free the stream before on_done, which fails what is still queued
        return;
      }
      if (is_current()) take(news);
      rpc_->read(reply_.fresh());
    }
    news.tell();
  }

  // Delivers an echo to the slot at the front of the queue.
  void take(News& news) {
    if (ending_ || echo_.queue_.empty() || !echo_.queue_.front().awaits_echo(echo_.call_.messages_out())) {
      news.failure = {stack::Code::kInternal, "a message arrived that answers no request"};
      echo_.drop(&news.failed);  // later echoes could not be assigned to calls
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
      half_close();
      return;
    }
    news.answered = echo_.pop();
  }

  // Half-closes the stream after its last write. An echo can arrive before the library reports that its message is
  // written; on_write then half-closes.
  void half_close() {
    if (writing_ || half_closed_) return;
    writing_ = half_closed_ = true;
    rpc_->writes_done();
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
    // An OK status does not answer a waiting call.
    news.failure =
        status.ok() ? stack::Failure{stack::Code::kUnavailable, "the server ended the stream"} : failure_of(status);
    echo_.drop(&news.failed);
  }

  Echo& echo_;
  grpc::ClientContext context_;
  Holder<typename T::Request> request_;
  Holder<typename T::Response> reply_;
  std::unique_ptr<StreamRpc<T>> rpc_;
  bool open_ = false;
  bool writing_ = false;   // a write is pending
  uint64_t first_id_ = 0;  // of the last message written
  int64_t carried_ = 0;    // completed calls
  bool ending_ = false;    // the last call has its echoes
  bool half_closed_ = false;
};

}  // namespace rpcbench::grpcpp
