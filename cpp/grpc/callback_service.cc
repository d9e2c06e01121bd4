#include "grpc/callback_service.h"

#include <google/protobuf/arena.h>

#include "grpc/callback_echo.h"

namespace rpcbench::grpcpp {
namespace {

// The messages of one unary call, on their own arena.
template <typename T>
class OnArena final : public grpc::MessageHolder<typename T::Request, typename T::Response> {
 public:
  OnArena() {
    this->set_request(google::protobuf::Arena::CreateMessage<typename T::Request>(&arena_));
    this->set_response(google::protobuf::Arena::CreateMessage<typename T::Response>(&arena_));
  }

  void Release() override { delete this; }

 private:
  google::protobuf::Arena arena_;
};

template <typename T>
class Arenas final : public grpc::MessageAllocator<typename T::Request, typename T::Response> {
 public:
  grpc::MessageHolder<typename T::Request, typename T::Response>* AllocateMessages() override { return new OnArena<T>; }
};

template <typename Request, typename Response>
grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext& context, const Responder& responder,
                                 const Request& request, Response& response) {
  grpc::ServerUnaryReactor* reactor = context.DefaultReactor();
  const grpc::Status admitted = responder.admit(context);
  reactor->Finish(admitted.ok() ? responder.respond(request, response) : admitted);
  return reactor;
}

class CallbackBenchmark final : public Singles::Service::CallbackService {
 public:
  explicit CallbackBenchmark(const Responder& responder) : responder_(responder) {
    if (responder.arena()) SetMessageAllocatorFor_UnaryCall(&arenas_);
  }

  grpc::ServerUnaryReactor* UnaryCall(grpc::CallbackServerContext* context, const Singles::Request* request,
                                      Singles::Response* reply) override {
    return answer(*context, responder_, *request, *reply);
  }
  grpc::ServerBidiReactor<Singles::Request, Singles::Response>* StreamingCall(
      grpc::CallbackServerContext* context) override {
    return new CallbackEcho<Singles>(*context, responder_);
  }
  grpc::ServerReadReactor<Singles::Request>* StreamingFromClient(grpc::CallbackServerContext* context,
                                                                 Singles::Response* reply) override {
    return new CallbackLast<Singles>(*context, responder_, *reply);
  }
  grpc::ServerWriteReactor<Singles::Response>* StreamingFromServer(grpc::CallbackServerContext* context,
                                                                   const Singles::Request* request) override {
    return new CallbackRepeat(*context, responder_, *request);
  }
  grpc::ServerBidiReactor<Singles::Request, Singles::Response>* StreamingBothWays(
      grpc::CallbackServerContext* context) override {
    return new CallbackBothWays(*context, responder_);
  }

 private:
  const Responder& responder_;
  Arenas<Singles> arenas_;
};

class CallbackBatch final : public Batches::Service::CallbackService {
 public:
  explicit CallbackBatch(const Responder& responder) : responder_(responder) {
    if (responder.arena()) SetMessageAllocatorFor_Unary(&arenas_);
  }

  grpc::ServerUnaryReactor* Unary(grpc::CallbackServerContext* context, const Batches::Request* request,
                                  Batches::Response* reply) override {
    return answer(*context, responder_, *request, *reply);
  }
  grpc::ServerBidiReactor<Batches::Request, Batches::Response>* Stream(grpc::CallbackServerContext* context) override {
    return new CallbackEcho<Batches>(*context, responder_);
  }
  grpc::ServerReadReactor<Batches::Request>* Upload(grpc::CallbackServerContext* context,
                                                    Batches::Response* reply) override {
    return new CallbackLast<Batches>(*context, responder_, *reply);
  }

 private:
  const Responder& responder_;
  Arenas<Batches> arenas_;
};

}  // namespace

std::vector<std::unique_ptr<grpc::Service>> callback_services(const Responder& responder) {
  std::vector<std::unique_ptr<grpc::Service>> services;
  services.push_back(std::make_unique<CallbackBenchmark>(responder));
  services.push_back(std::make_unique<CallbackBatch>(responder));
  return services;
}

}  // namespace rpcbench::grpcpp
