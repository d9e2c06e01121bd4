// RPCs with the callback API.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <memory>

#include "grpc/methods.h"
#include "grpc/rpc.h"
#include "grpc/unary_caller.h"

namespace rpcbench::grpcpp {

template <typename T>
class CallbackApi final : public Api<T> {
 public:
  using Request = typename T::Request;
  using Response = typename T::Response;
  using M = Methods<T>;

  explicit CallbackApi(const std::shared_ptr<grpc::Channel>& channel) : stub_(T::Service::NewStub(channel)) {}

  std::unique_ptr<stack::Caller> unary(const Link& link, const stack::Call& call, int slot) override {
    return std::make_unique<Unary>(*stub_, link, call, slot);
  }

  std::unique_ptr<StreamRpc<T>> both(grpc::ClientContext& context, StreamEvents& events) override {
    auto rpc = std::make_unique<Both>(events);
    M::both(*stub_, &context, rpc.get());
    return rpc;
  }

  std::unique_ptr<StreamRpc<T>> up(grpc::ClientContext& context, Response& response, StreamEvents& events) override {
    auto rpc = std::make_unique<Up>(events);
    M::up(*stub_, &context, &response, rpc.get());
    return rpc;
  }

  std::unique_ptr<StreamRpc<T>> down(grpc::ClientContext& context, const Request& request,
                                     StreamEvents& events) override {
    auto rpc = std::make_unique<Down>(events);
    M::down(*stub_, &context, &request, rpc.get());
    return rpc;
  }

  std::unique_ptr<StreamRpc<T>> both_ways(grpc::ClientContext& context, StreamEvents& events) override {
    auto rpc = std::make_unique<Both>(events);
    M::both_ways(*stub_, &context, rpc.get());
    return rpc;
  }

 private:
  class Unary final : public UnaryCaller<T> {
   public:
    Unary(typename M::Stub& stub, const Link& link, const stack::Call& call, int slot)
        : UnaryCaller<T>(link, call, slot), stub_(stub) {}

    void start(stack::Listener& listener) override {
      grpc::ClientContext& context = this->prepare(listener);
      M::unary(stub_, &context, &this->request(), &this->response(),
               [this](const grpc::Status& status) { this->finish(status); });
    }

   private:
    typename M::Stub& stub_;
  };

  // The reactor of a stream. Reads and writes are also started outside of its callbacks, so a hold keeps it alive until
  // a read, or if there are no reads the last write, reports the end of the stream. Another one keeps it until on_open is
  // over: the stream may end, and its owner begin the next one, while on_open has still something to start.
  template <typename Reactor>
  class Stream : public StreamRpc<T>, public Reactor {
   public:
    explicit Stream(StreamEvents& events) : events_(events) {}

    void start() override {
      this->AddMultipleHolds(2);
      this->StartCall();
      events_.on_open();
      this->RemoveHold();  // which may end the stream, and this with it
    }

    void OnDone(const grpc::Status& status) override { events_.on_done(status); }

   protected:
    void let_go() {
      if (!released_.exchange(true)) this->RemoveHold();
    }

    StreamEvents& events_;

   private:
    std::atomic<bool> released_ = false;
  };

  class Both final : public Stream<grpc::ClientBidiReactor<Request, Response>> {
   public:
    using Stream<grpc::ClientBidiReactor<Request, Response>>::Stream;

    void read(Response& into) override { this->StartRead(&into); }
    void write(const Request& message, bool last) override {
      if (last) {
        this->StartWriteLast(&message, {});
      } else {
        this->StartWrite(&message);
      }
    }
    void writes_done() override { this->StartWritesDone(); }

    void OnWriteDone(bool ok) override { this->events_.on_write(ok); }
    void OnWritesDoneDone(bool ok) override { this->events_.on_write(ok); }
    void OnReadDone(bool ok) override {
      this->events_.on_read(ok);
      if (!ok) this->let_go();
    }
  };

  class Up final : public Stream<grpc::ClientWriteReactor<Request>> {
   public:
    using Stream<grpc::ClientWriteReactor<Request>>::Stream;

    void read(Response&) override {}
    void write(const Request& message, bool last) override {
      last_ = last;
      if (last) {
        this->StartWriteLast(&message, {});
      } else {
        this->StartWrite(&message);
      }
    }
    void writes_done() override {
      last_ = true;
      this->StartWritesDone();
    }

    void OnWriteDone(bool ok) override { written(ok); }
    void OnWritesDoneDone(bool ok) override { written(ok); }

   private:
    void written(bool ok) {
      const bool over = last_ || !ok;
      this->events_.on_write(ok);
      if (over) this->let_go();
    }

    bool last_ = false;
  };

  class Down final : public Stream<grpc::ClientReadReactor<Response>> {
   public:
    using Stream<grpc::ClientReadReactor<Response>>::Stream;

    void read(Response& into) override { this->StartRead(&into); }
    void write(const Request&, bool) override {}
    void writes_done() override {}

    void OnReadDone(bool ok) override {
      this->events_.on_read(ok);
      if (!ok) this->let_go();
    }
  };

  const std::unique_ptr<typename M::Stub> stub_;
};

}  // namespace rpcbench::grpcpp
