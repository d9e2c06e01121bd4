#include "grpc/responder.h"

#include <charconv>
#include <limits>
#include <vector>

#include "grpc/link.h"
#include "grpc/options.h"
#include "grpc/status.h"
#include "permission/permission.h"
#include "stack/bounds.h"

// gRPC's interoperability servers use it to find out whether a request was compressed; no header declares it.
grpc_compression_algorithm grpc_call_test_only_get_compression_algorithm(grpc_call* call);

namespace rpcbench::grpcpp {
bool Responder::wants_arena(const stack::ServeConfig& config) { return kArena.on(config.options); }

grpc::Status Responder::admit(grpc::ServerContextBase& context) const {
  if (authorize_) {
    std::vector<std::string> uris;
    for (const grpc::string_ref& uri : context.auth_context()->FindPropertyValues(GRPC_PEER_URI_PROPERTY_NAME)) {
      uris.emplace_back(uri.data(), uri.size());
    }
    std::string name;
    const bool named = permission::name_of(uris, &name);
    const std::string refusal = authorize_(named ? &name : nullptr);
    if (!refusal.empty()) return {grpc::StatusCode::PERMISSION_DENIED, refusal};
  }
  if (grpc_call_test_only_get_compression_algorithm(context.c_call()) == GRPC_COMPRESS_GZIP) {
    context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  }
  return grpc::Status::OK;
}

grpc::Status Responder::respond(const Singles::Request& request, Singles::Response& response) const {
  if (request.has_response_status() && request.response_status().code() != 0) {
    const auto& asked = request.response_status();
    return {static_cast<grpc::StatusCode>(asked.code()), asked.message()};
  }
  const int64_t size = request.response_size();
  const std::string refusal = stack::reply_refusal("response_size", 0, size);
  if (!refusal.empty()) return invalid(refusal);
  const std::string& body = request.payload().body();
  auto& payload = *response.mutable_payload();
  if (size == static_cast<int64_t>(body.size())) {
    payload.set_body(body);
  } else {
    payload.set_body(*reply_(size));
  }
  if (request.response_type() != 0) payload.set_type(request.response_type());
  return grpc::Status::OK;
}

grpc::Status Responder::respond(const Batches::Request& request, Batches::Response& response) const {
  const grpc::Status refused = refusal_of(request);
  if (!refused.ok()) return refused;
  const int64_t bytes = request.response_bytes();
  const std::string refusal = stack::reply_refusal("response_bytes", request.operations_size(), bytes);
  if (!refusal.empty()) return invalid(refusal);
  response.Clear();
  response.mutable_operations()->Reserve(request.operations_size());
  std::shared_ptr<const std::string> own;  // the server's payload, if it is needed
  for (const auto& operation : request.operations()) {
    auto& reply = *response.add_operations();
    reply.set_id(operation.id());
    if (static_cast<int64_t>(operation.payload().size()) == bytes) {
      reply.set_payload(operation.payload());
      continue;
    }
    if (own == nullptr) own = reply_(bytes);
    reply.set_payload(*own);
  }
  return grpc::Status::OK;
}

int64_t bytes_of(const Singles::Response& response) { return static_cast<int64_t>(response.payload().body().size()); }

int64_t bytes_of(const Batches::Response& response) {
  if (response.operations().empty()) return 0;
  return stack::message_bytes(response.operations_size(),
                              static_cast<int64_t>(response.operations(0).payload().size()));
}

grpc::Status too_long(int64_t burst) {
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, "a burst of " + std::to_string(burst) + " messages is more than the " +
                                                    std::to_string(stack::kMaxMessageBytes) +
                                                    " bytes that a server holds"};
}

grpc::Status count_in(const grpc::ServerContextBase& context, const char* key, int64_t min, int64_t max,
                      int64_t& count) {
  count = -1;
  const auto found = context.client_metadata().find(key);
  if (found == context.client_metadata().end()) return grpc::Status::OK;
  const grpc::string_ref text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < min || count > max) {
    return invalid("metadata " + std::string(key) + " is \"" + std::string(text.data(), text.size()) +
                   "\", and must be a number of messages, " + std::to_string(min) + " to " + std::to_string(max));
  }
  return grpc::Status::OK;
}

grpc::Status messages_in(const grpc::ServerContextBase& context, int64_t& count) {
  return count_in(context, kMessagesMetadata, 0, std::numeric_limits<int32_t>::max(), count);
}

grpc::Status burst_in(const grpc::ServerContextBase& context, int64_t& count) {
  const grpc::Status status = count_in(context, kBurstMetadata, 1, stack::kMaxBurst, count);
  if (count < 0) count = 1;
  return status;
}

}  // namespace rpcbench::grpcpp
