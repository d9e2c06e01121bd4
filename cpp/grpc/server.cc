#include "grpc/server.h"

#include <chrono>

#include "grpc/unix_uri.h"
#include "stack/address.h"
#include "stack/bounds.h"

namespace rpcbench::grpcpp {
namespace {

// The maximum size of a call's headers.
constexpr int kMaxHeaderBytes = 64 << 10;

std::shared_ptr<grpc::ServerCredentials> server_credentials_of(const stack::Keys* keys) {
  if (keys == nullptr) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(keys->mutual ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                                                         : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  options.pem_root_certs = keys->ca;
  options.pem_key_cert_pairs.push_back({keys->key, keys->cert});
  return grpc::SslServerCredentials(options);
}

std::string listening_of(const stack::ServeConfig& config) {
  if (config.network == "unix") return unix_uri(config.address);
  stack::Address address = stack::Address::parse(config.address);
  if (address.host.empty()) address.host = "::";
  return address.text();
}

}  // namespace

GrpcServer::GrpcServer(const stack::ServeConfig& config, const std::function<Services(const Responder&)>& services)
    : responder_(config), services_(services(responder_)), address_(config.address) {
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(static_cast<int>(stack::kMaxEncodedBytes));
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxHeaderBytes);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // two servers at one address would share its clients
  for (const auto& service : services_) {
    builder.RegisterService(service.get());
  }
  int port = 0;
  builder.AddListeningPort(listening_of(config), server_credentials_of(config.keys.get()), &port);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr || port == 0) {
    throw stack::Error({stack::Code::kUnavailable,
                        "can't listen at " + config.address + ": the address is in use, or is not this machine's"});
  }
  if (config.network == "tcp") {
    stack::Address address = stack::Address::parse(config.address);
    address.port = port;
    address_ = address.text();
  }
}

void GrpcServer::stop(int64_t grace_ns) {
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::nanoseconds(grace_ns));
}

}  // namespace rpcbench::grpcpp
