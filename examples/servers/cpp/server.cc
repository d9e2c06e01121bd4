// A server of gRPC's BenchmarkService with the C++ library's callback API: server HOST:PORT.

#include <grpcpp/grpcpp.h>

#include <iostream>
#include <string>

#include "benchmark.grpc.pb.h"

namespace {

using grpc::testing::BenchmarkService;
using grpc::testing::SimpleRequest;
using grpc::testing::SimpleResponse;

void Answer(const SimpleRequest& request, SimpleResponse* response) {
  response->mutable_payload()->set_body(std::string(request.response_size(), '\0'));
}

class Stream : public grpc::ServerBidiReactor<SimpleRequest, SimpleResponse> {
 public:
  Stream() { StartRead(&request_); }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    Answer(request_, &response_);
    StartWrite(&response_);
  }
  void OnWriteDone(bool ok) override {
    if (ok) StartRead(&request_);
    else Finish(grpc::Status::CANCELLED);
  }
  void OnDone() override { delete this; }

  SimpleRequest request_;
  SimpleResponse response_;
};

class Benchmark : public BenchmarkService::CallbackService {
  grpc::ServerUnaryReactor* UnaryCall(
      grpc::CallbackServerContext* context, const SimpleRequest* request, SimpleResponse* response) override {
    Answer(*request, response);
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
  grpc::ServerBidiReactor<SimpleRequest, SimpleResponse>* StreamingCall(grpc::CallbackServerContext*) override {
    return new Stream;
  }
};

}  // namespace

int main(int, char** argv) {
  Benchmark service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(argv[1], grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  auto server = builder.BuildAndStart();
  if (!server) return 1;
  std::cout << "listening on " << argv[1] << std::endl;
  server->Wait();
}
