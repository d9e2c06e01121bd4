// The methods of both services under common names, for both of the library's APIs.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <stdexcept>

#include "grpc/messages.h"

namespace rpcbench::grpcpp {

template <typename T>
struct Methods;

template <>
struct Methods<Singles> {
  using Stub = Singles::Service::Stub;
  using Request = Singles::Request;
  using Response = Singles::Response;

  template <typename... Args>
  static void unary(Stub& stub, Args&&... args) {
    stub.async()->UnaryCall(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static void both(Stub& stub, Args&&... args) {
    stub.async()->StreamingCall(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static void up(Stub& stub, Args&&... args) {
    stub.async()->StreamingFromClient(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static void down(Stub& stub, Args&&... args) {
    stub.async()->StreamingFromServer(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static void both_ways(Stub& stub, Args&&... args) {
    stub.async()->StreamingBothWays(std::forward<Args>(args)...);
  }

  template <typename... Args>
  static auto prepare_unary(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncUnaryCall(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static auto prepare_both(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncStreamingCall(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static auto prepare_up(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncStreamingFromClient(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static auto prepare_down(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncStreamingFromServer(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static auto prepare_both_ways(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncStreamingBothWays(std::forward<Args>(args)...);
  }
};

// BatchService has no download or both_ways, and the worker refuses them.
template <>
struct Methods<Batches> {
  using Stub = Batches::Service::Stub;
  using Request = Batches::Request;
  using Response = Batches::Response;

  template <typename... Args>
  static void unary(Stub& stub, Args&&... args) {
    stub.async()->Unary(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static void both(Stub& stub, Args&&... args) {
    stub.async()->Stream(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static void up(Stub& stub, Args&&... args) {
    stub.async()->Upload(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static void down(Stub&, Args&&...) {
    throw std::logic_error("BatchService has no downloads");
  }
  template <typename... Args>
  static void both_ways(Stub&, Args&&...) {
    throw std::logic_error("BatchService has no streams both ways at once");
  }

  template <typename... Args>
  static auto prepare_unary(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncUnary(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static auto prepare_both(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncStream(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static auto prepare_up(Stub& stub, Args&&... args) {
    return stub.PrepareAsyncUpload(std::forward<Args>(args)...);
  }
  template <typename... Args>
  static std::unique_ptr<grpc::ClientAsyncReader<Response>> prepare_down(Stub&, Args&&...) {
    throw std::logic_error("BatchService has no downloads");
  }
  template <typename... Args>
  static auto prepare_both_ways(Stub& stub, Args&&... args) {
    return prepare_both(stub, std::forward<Args>(args)...);
  }
};

}  // namespace rpcbench::grpcpp
