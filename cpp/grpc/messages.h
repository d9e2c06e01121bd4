// The messages of the two services.
#pragma once

#include <string>

#include "grpc/bounded_batch.h"
// The generated services come behind what bounds their messages.
#include "batch.grpc.pb.h"
#include "benchmark.grpc.pb.h"
#include "stack/call.h"

namespace rpcbench::grpcpp {

// Those of grpc.testing.BenchmarkService, which have one payload each.
struct Singles {
  using Request = ::grpc::testing::SimpleRequest;
  using Answer = ::grpc::testing::SimpleResponse;
  using Service = ::grpc::testing::BenchmarkService;

  static void fill(Request& request, const stack::Call& call) {
    request.set_response_size(static_cast<int32_t>(call.response_bytes));
    request.mutable_payload()->set_body(*call.request);
  }
  static void number(Request&, uint64_t) {}
  static int64_t count(const Answer&) { return 1; }
  static uint64_t id(const Answer&, int64_t) { return 0; }
  static const std::string& payload(const Answer& answer, int64_t) { return answer.payload().body(); }
};

// Those of BatchService, whose operations have ids.
struct Batches {
  using Request = batch::v1::Batch;
  using Answer = batch::v1::Batch;
  using Service = batch::v1::BatchService;

  static void fill(Request& request, const stack::Call& call) {
    request.set_response_bytes(static_cast<uint32_t>(call.response_bytes));
    for (int64_t i = 0; i < call.batch; ++i) {
      request.add_operations()->set_payload(*call.request);
    }
  }
  // Gives the operations ids that count up from first.
  static void number(Request& request, uint64_t first) {
    for (auto& operation : *request.mutable_operations()) {
      operation.set_id(first++);
    }
  }
  static int64_t count(const Answer& answer) { return answer.operations_size(); }
  static uint64_t id(const Answer& answer, int64_t i) { return answer.operations(static_cast<int>(i)).id(); }
  static const std::string& payload(const Answer& answer, int64_t i) {
    return answer.operations(static_cast<int>(i)).payload();
  }
};

}  // namespace rpcbench::grpcpp
