// The messages of the two services.
#pragma once

#include <cstdint>
#include <string>

#include "grpc/bounded_batch.h"
// The generated services must follow the header that limits their messages.
#include "batch.grpc.pb.h"
#include "benchmark.grpc.pb.h"
#include "stack/call.h"

namespace rpcbench::grpcpp {

// grpc.testing.BenchmarkService, whose messages have one payload each.
struct Singles {
  using Request = ::grpc::testing::SimpleRequest;
  using Response = ::grpc::testing::SimpleResponse;
  using Service = ::grpc::testing::BenchmarkService;

  static void fill(Request& request, const stack::Call& call) {
    request.set_response_size(static_cast<int32_t>(call.response_bytes));
    request.mutable_payload()->set_body(*call.request);
  }
  static void number(Request&, uint64_t) {}
  static int64_t count(const Response&) { return 1; }
  static uint64_t id(const Response&, int64_t) { return 0; }
  static const std::string& payload(const Response& response, int64_t) { return response.payload().body(); }
  // Marks a response that is still to come.
  static void await(Response& response) { response.mutable_payload()->set_type(-1); }
  // Returns whether a response has come. The library reports OK without one too, and leaves the previous one.
  static bool came(const Response& response) { return response.payload().type() != -1; }
};

// BatchService, whose operations have ids.
struct Batches {
  using Request = batch::v1::Batch;
  using Response = batch::v1::Batch;
  using Service = batch::v1::BatchService;

  static void fill(Request& request, const stack::Call& call) {
    request.set_response_bytes(static_cast<uint32_t>(call.response_bytes));
    for (int64_t i = 0; i < call.batch; ++i) {
      request.add_operations()->set_payload(*call.request);
    }
  }
  // Numbers the operations from first.
  static void number(Request& request, uint64_t first) {
    for (auto& operation : *request.mutable_operations()) {
      operation.set_id(first++);
    }
  }
  static int64_t count(const Response& response) { return response.operations_size(); }
  static uint64_t id(const Response& response, int64_t i) { return response.operations(static_cast<int>(i)).id(); }
  static const std::string& payload(const Response& response, int64_t i) {
    return response.operations(static_cast<int>(i)).payload();
  }
  // As in Singles. The field is one of requests.
  static void await(Response& response) { response.set_response_bytes(UINT32_MAX); }
  static bool came(const Response& response) { return response.response_bytes() != UINT32_MAX; }
};

}  // namespace rpcbench::grpcpp
