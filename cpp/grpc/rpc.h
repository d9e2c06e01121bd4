// One RPC on its way through the library, whichever of its interfaces makes it.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <functional>
#include <memory>

#include "stack/kind.h"

namespace rpcbench::grpcpp {

// Hears of a stream, one event at a time but for on_write and on_read, which may come beside each other.
class StreamEvents {
 public:
  virtual void on_open() = 0;                            // messages may be read and written
  virtual void on_write(bool ok) = 0;                    // a write is over; not ok is the stream's end
  virtual void on_read(bool ok) = 0;                     // a message was read; not ok is the stream's end
  virtual void on_done(const grpc::Status& status) = 0;  // all is over, and nothing of the RPC is used any more

 protected:
  ~StreamEvents() = default;
};

// A stream of messages. Its reads and its writes are each made one at a time; a stream whose reads are made is over
// when one was not ok, and one without reads when all is written, or a write was not ok. Where on_open does not come,
// on_done does.
template <typename T>
class StreamRpc {
 public:
  virtual ~StreamRpc() = default;
  virtual void start() = 0;
  virtual void read(typename T::Answer& into) = 0;
  // The message may change when on_write has come. The last half-closes.
  virtual void write(const typename T::Request& message, bool last) = 0;
  // Half-closes behind the last write; on_write comes.
  virtual void writes_done() = 0;
};

// How a connection's RPCs are made. Contexts, messages and events outlive them.
template <typename T>
class Api {
 public:
  using Request = typename T::Request;
  using Answer = typename T::Answer;

  // Hears of a call's end.
  class UnaryEvents {
   public:
    virtual void on_status(const grpc::Status& status) = 0;

   protected:
    ~UnaryEvents() = default;
  };

  // One unary call after another of a slot.
  class Unary {
   public:
    virtual ~Unary() = default;
    virtual void start(grpc::ClientContext& context, const Request& request, Answer& answer) = 0;
  };

  virtual ~Api() = default;
  virtual std::unique_ptr<Unary> unary(UnaryEvents& events) = 0;

  // Streams both ways; of a client, whose one answer is there with on_done; of a server.
  virtual std::unique_ptr<StreamRpc<T>> both(grpc::ClientContext& context, StreamEvents& events) = 0;
  virtual std::unique_ptr<StreamRpc<T>> up(grpc::ClientContext& context, Answer& answer, StreamEvents& events) = 0;
  virtual std::unique_ptr<StreamRpc<T>> down(grpc::ClientContext& context, const Request& request,
                                             StreamEvents& events) = 0;
  virtual std::unique_ptr<StreamRpc<T>> both_ways(grpc::ClientContext& context, StreamEvents& events) = 0;
};

}  // namespace rpcbench::grpcpp
