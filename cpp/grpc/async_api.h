// RPCs with completion queues.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <memory>
#include <utility>

#include "grpc/methods.h"
#include "grpc/queue.h"
#include "grpc/rpc.h"
#include "grpc/unary_caller.h"

namespace rpcbench::grpcpp {

template <typename T>
class AsyncApi final : public Api<T> {
 public:
  using Request = typename T::Request;
  using Response = typename T::Response;
  using M = Methods<T>;

  AsyncApi(const std::shared_ptr<grpc::Channel>& channel, grpc::CompletionQueue& queue)
      : stub_(T::Service::NewStub(channel)), queue_(queue) {}

  std::unique_ptr<stack::Caller> unary(const Link& link, const stack::Call& call, int slot) override {
    return std::make_unique<Unary>(*stub_, queue_, link, call, slot);
  }

  std::unique_ptr<StreamRpc<T>> both(grpc::ClientContext& context, StreamEvents& events) override {
    return std::make_unique<Both>(M::prepare_both(*stub_, &context, &queue_), events);
  }

  std::unique_ptr<StreamRpc<T>> up(grpc::ClientContext& context, Response& response, StreamEvents& events) override {
    return std::make_unique<Up>(M::prepare_up(*stub_, &context, &response, &queue_), events);
  }

  std::unique_ptr<StreamRpc<T>> down(grpc::ClientContext& context, const Request& request,
                                     StreamEvents& events) override {
    return std::make_unique<Down>(M::prepare_down(*stub_, &context, request, &queue_), events);
  }

  std::unique_ptr<StreamRpc<T>> both_ways(grpc::ClientContext& context, StreamEvents& events) override {
    return std::make_unique<Both>(M::prepare_both_ways(*stub_, &context, &queue_), events);
  }

 private:
  class Unary final : public UnaryCaller<T>, public Tag {
   public:
    Unary(typename M::Stub& stub, grpc::CompletionQueue& queue, const Link& link, const stack::Call& call, int slot)
        : UnaryCaller<T>(link, call, slot), stub_(stub), queue_(queue) {}

    void start(stack::Listener& listener) override {
      grpc::ClientContext& context = this->prepare(listener);
      reader_ = M::prepare_unary(stub_, &context, this->request(), &queue_);
      reader_->StartCall();
      reader_->Finish(&this->response(), &status_, static_cast<Tag*>(this));
    }

    void run(bool) override {
      reader_.reset();  // it is in the memory of the call, which is freed with the context
      this->finish(status_);
    }

   private:
    typename M::Stub& stub_;
    grpc::CompletionQueue& queue_;
    std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> reader_;
    grpc::Status status_;
  };

  // A stream with one tag for each kind of operation that can be pending. It ends when its status has arrived and no
  // operation is pending.
  template <typename Rpc>
  class Stream : public StreamRpc<T> {
   public:
    Stream(std::unique_ptr<Rpc> rpc, StreamEvents& events) : rpc_(std::move(rpc)), events_(events) {}

    void start() override { rpc_->StartCall(begin(opened_)); }

   protected:
    // One kind of operation.
    class Step final : public Tag {
     public:
      Step(Stream& stream, void (Stream::*over)(bool)) : stream_(stream), over_(over) {}
      void run(bool ok) override {
        Stream& stream = stream_;
        (stream.*over_)(ok);
        stream.leave();
      }

     private:
      Stream& stream_;
      void (Stream::*const over_)(bool);
    };

    void* begin(Step& step) {
      under_way_.fetch_add(1);
      return static_cast<Tag*>(&step);
    }

    void finish() {
      if (!finishing_.exchange(true)) rpc_->Finish(&status_, begin(finished_));
    }

    virtual void opened(bool ok) {
      if (ok) {
        events_.on_open();
      } else {
        finish();
      }
    }
    virtual void written(bool ok) { events_.on_write(ok); }
    void was_read(bool ok) {
      events_.on_read(ok);
      if (!ok) finish();
    }

    std::unique_ptr<Rpc> rpc_;
    StreamEvents& events_;
    Step opened_{*this, &Stream::opened};
    Step written_{*this, &Stream::written};
    Step read_{*this, &Stream::was_read};

   private:
    void has_finished(bool) { over_.store(true); }

    void leave() {
      if (under_way_.fetch_sub(1) == 1 && over_.load()) events_.on_done(status_);
    }

    Step finished_{*this, &Stream::has_finished};
    grpc::Status status_;
    std::atomic<int> under_way_ = 0;
    std::atomic<bool> finishing_ = false;
    std::atomic<bool> over_ = false;
  };

  static grpc::WriteOptions options_of(bool last) {
    grpc::WriteOptions options;
    return last ? options.set_last_message() : options;
  }

  class Both final : public Stream<grpc::ClientAsyncReaderWriter<Request, Response>> {
   public:
    using Stream<grpc::ClientAsyncReaderWriter<Request, Response>>::Stream;

    void read(Response& into) override { this->rpc_->Read(&into, this->begin(this->read_)); }
    void write(const Request& message, bool last) override {
      this->rpc_->Write(message, options_of(last), this->begin(this->written_));
    }
    void writes_done() override { this->rpc_->WritesDone(this->begin(this->written_)); }
  };

  class Up final : public Stream<grpc::ClientAsyncWriter<Request>> {
   public:
    using Stream<grpc::ClientAsyncWriter<Request>>::Stream;

    void read(Response&) override {}
    void write(const Request& message, bool last) override {
      last_ = last;
      this->rpc_->Write(message, options_of(last), this->begin(this->written_));
    }
    void writes_done() override {
      last_ = true;
      this->rpc_->WritesDone(this->begin(this->written_));
    }

   private:
    void written(bool ok) override {
      const bool over = last_ || !ok;
      this->events_.on_write(ok);
      if (over) this->finish();
    }

    bool last_ = false;
  };

  class Down final : public Stream<grpc::ClientAsyncReader<Response>> {
   public:
    using Stream<grpc::ClientAsyncReader<Response>>::Stream;

    void read(Response& into) override { this->rpc_->Read(&into, this->begin(this->read_)); }
    void write(const Request&, bool) override {}
    void writes_done() override {}
  };

  const std::unique_ptr<typename M::Stub> stub_;
  grpc::CompletionQueue& queue_;
};

}  // namespace rpcbench::grpcpp
