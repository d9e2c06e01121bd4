// Streams with the callback API, against a server that ends each at once.
#include "grpc/callback_api.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "grpc/messages.h"

namespace rpcbench::grpcpp {
namespace {

using Request = Singles::Request;
using Response = Singles::Response;

class Denying final : public Singles::Service::CallbackService {
 public:
  grpc::ServerUnaryReactor* UnaryCall(grpc::CallbackServerContext* context, const Request*, Response*) override {
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  grpc::ServerBidiReactor<Request, Response>* StreamingCall(grpc::CallbackServerContext*) override {
    class Denied final : public grpc::ServerBidiReactor<Request, Response> {
     public:
      Denied() { Finish({grpc::StatusCode::PERMISSION_DENIED, "denied"}); }
      void OnDone() override { delete this; }
    };
    return new Denied;
  }
};

// Reads when it is open, and goes on once that read has failed and the server has answered other calls.
class Owner final : public StreamEvents {
 public:
  Owner(Singles::Service::Stub& stub, std::unique_ptr<StreamRpc<Singles>>& rpc) : stub_(stub), rpc_(rpc) {}

  void on_open() override {
    rpc_->read(reply_);
    ASSERT_EQ(failed_.get_future().wait_for(kPatience), std::future_status::ready);
    for (int i = 0; i < kOtherCalls; ++i) {
      grpc::ClientContext context;
      Response response;
      ASSERT_TRUE(stub_.UnaryCall(&context, Request(), &response).ok());
    }
    opened_ = true;
  }
  void on_write(bool) override {}
  void on_read(bool ok) override {
    EXPECT_FALSE(ok);
    failed_.set_value();
  }
  void on_done(const grpc::Status& status) override {
    EXPECT_TRUE(opened_) << "the stream was over before on_open was";
    done_.set_value(status);
  }

  grpc::Status ended() {
    std::future<grpc::Status> done = done_.get_future();
    return done.wait_for(kPatience) == std::future_status::ready ? done.get() : grpc::Status(grpc::DO_NOT_USE, "hung");
  }

 private:
  static constexpr std::chrono::minutes kPatience{2};  // that only a hang takes
  static constexpr int kOtherCalls = 100;

  Singles::Service::Stub& stub_;
  std::unique_ptr<StreamRpc<Singles>>& rpc_;
  Response reply_;
  std::promise<void> failed_;
  std::promise<grpc::Status> done_;
  std::atomic<bool> opened_ = false;
};

// Its owner may begin the next stream in on_done, while on_open would still use this one.
TEST(CallbackApiTest, AStreamThatEndsAtOnceIsNotOverBeforeItWasOpened) {
  Denying service;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  const auto channel =
      grpc::CreateChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials());
  const std::unique_ptr<Singles::Service::Stub> stub = Singles::Service::NewStub(channel);
  CallbackApi<Singles> api(channel);
  std::unique_ptr<StreamRpc<Singles>> rpc;
  Owner owner(*stub, rpc);
  grpc::ClientContext context;
  rpc = api.both(context, owner);
  rpc->start();
  EXPECT_EQ(owner.ended().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  rpc.reset();  // it is in the memory of the call, which is freed with the context
}

}  // namespace
}  // namespace rpcbench::grpcpp
