// An RPC, independent of the library's API.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <functional>
#include <memory>

#include "grpc/link.h"
#include "stack/caller.h"
#include "stack/kind.h"

namespace rpcbench::grpcpp {

// Receives the events of a stream, one at a time, except that on_write and on_read may be concurrent.
class StreamEvents {
 public:
  virtual void on_open() = 0;                            // messages may be read and written
  virtual void on_write(bool ok) = 0;                    // a write is complete; not ok ends the stream
  virtual void on_read(bool ok) = 0;                     // a read is complete; not ok ends the stream
  virtual void on_done(const grpc::Status& status) = 0;  // the RPC is over, and uses nothing any more

 protected:
  ~StreamEvents() = default;
};

// A stream of messages. At most one read and one write are pending. A stream with reads is over when one is not ok. A
// stream without reads is over when everything is written or a write is not ok. If on_open is not called, on_done is.
template <typename T>
class StreamRpc {
 public:
  virtual ~StreamRpc() = default;
  virtual void start() = 0;
  virtual void read(typename T::Response& into) = 0;
  // Starts a write; message may change after on_write. The last write half-closes the stream.
  virtual void write(const typename T::Request& message, bool last) = 0;
  // Half-closes the stream after the last write; calls on_write.
  virtual void writes_done() = 0;
};

// Makes the RPCs of a connection. Contexts, messages and event handlers must outlive them.
template <typename T>
class Api {
 public:
  using Request = typename T::Request;
  using Response = typename T::Response;

  virtual ~Api() = default;

  // Makes the Caller of a slot's unary calls.
  virtual std::unique_ptr<stack::Caller> unary(const Link& link, const stack::Call& call, int slot) = 0;

  // Opens a stream: bidirectional; client-streaming, whose response is complete in on_done; server-streaming; or
  // both_ways.
  virtual std::unique_ptr<StreamRpc<T>> both(grpc::ClientContext& context, StreamEvents& events) = 0;
  virtual std::unique_ptr<StreamRpc<T>> up(grpc::ClientContext& context, Response& response, StreamEvents& events) = 0;
  virtual std::unique_ptr<StreamRpc<T>> down(grpc::ClientContext& context, const Request& request,
                                             StreamEvents& events) = 0;
  virtual std::unique_ptr<StreamRpc<T>> both_ways(grpc::ClientContext& context, StreamEvents& events) = 0;
};

}  // namespace rpcbench::grpcpp
