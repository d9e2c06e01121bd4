#include "grpc/conn.h"

#include <chrono>

#include "grpc/options.h"
#include "grpc/stream_caller.h"
#include "grpc/unix_uri.h"
#include "load/clock.h"
#include "stack/address.h"

namespace rpcbench::grpcpp {
namespace {

// The delay before a lost connection is retried. The library's default is one second, growing to two minutes.
constexpr int kBackoffMs = 100;

// The timeout of one connection attempt, which the library calls the minimum backoff. A worker's own timeout is as
// long.
constexpr int kConnectMs = 30'000;

// How often a wait for a connection checks whether to stop.
constexpr auto kPollInterval = std::chrono::milliseconds(20);

// The timeout of the call that finds out why there is no connection; it fails at once.
constexpr auto kProbeTimeout = std::chrono::seconds(1);

std::string target_of(const stack::DialConfig& config) {
  if (config.network == "unix") return unix_uri(config.address);
  stack::Address address = stack::Address::parse(config.address);
  if (address.host.empty()) address.host = "localhost";
  const bool six = address.host.find(':') != std::string::npos;
  const bool four = address.host.find_first_not_of("0123456789.") == std::string::npos;
  return (six ? "ipv6:" : four ? "ipv4:" : "dns:///") + address.text();
}

std::shared_ptr<grpc::ChannelCredentials> channel_credentials_of(const stack::Keys* keys) {
  if (keys == nullptr) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = keys->ca;
  if (keys->mutual) {
    options.pem_private_key = keys->key;
    options.pem_cert_chain = keys->cert;
  }
  return grpc::SslCredentials(options);
}

grpc::ChannelArguments arguments_of(const stack::DialConfig& config) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // so that each channel opens its own socket
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, kRetry.on(config.options) ? 1 : 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kBackoffMs);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kBackoffMs);
  arguments.SetMaxReceiveMessageSize(static_cast<int>(config.max_reply_bytes));
  arguments.SetMaxSendMessageSize(-1);
  if (config.keys != nullptr) arguments.SetSslTargetNameOverride(config.keys->server_name);
  return arguments;
}

}  // namespace

GrpcConn::GrpcConn(const stack::DialConfig& config,
                   const std::function<Apis(const std::shared_ptr<grpc::Channel>&)>& apis) {
  link_.gzip = config.compression == "gzip";
  link_.send_deadline = kSendDeadline.on(config.options);
  link_.arena = kArena.on(config.options);
  channel_ = grpc::CreateCustomChannel(target_of(config), channel_credentials_of(config.keys.get()), arguments_of(config));
  apis_ = apis(channel_);
}

GrpcConn::~GrpcConn() = default;

void GrpcConn::ready(int64_t timeout_ns, const std::atomic<bool>& ended) {
  const int64_t until = load::monotonic_ns() + timeout_ns;
  for (grpc_connectivity_state state = channel_->GetState(true); state != GRPC_CHANNEL_READY;
       state = channel_->GetState(true)) {
    if (ended.load()) throw stack::Error({stack::Code::kCancelled, "the connection was closed"});
    if (load::monotonic_ns() >= until) {
      throw stack::Error({stack::Code::kUnavailable,
                          "the connection was not ready within " + std::to_string(timeout_ns / 1'000'000'000) + " s"});
    }
    if (state == GRPC_CHANNEL_TRANSIENT_FAILURE) throw_why();
    channel_->WaitForStateChange(state, std::chrono::system_clock::now() + kPollInterval);
  }
}

// Makes a call to find out why there is no connection: only a call's error says so.
void GrpcConn::throw_why() {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kProbeTimeout);
  const std::unique_ptr<Singles::Service::Stub> stub = Singles::Service::NewStub(channel_);
  Singles::Response response;
  const grpc::Status status = stub->UnaryCall(&context, Singles::Request(), &response);
  if (status.ok() || status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    throw stack::Error({stack::Code::kUnavailable, "the connection could not be opened at first"});
  }
  throw stack::Error(failure_of(status));
}

std::unique_ptr<stack::Caller> GrpcConn::caller(const stack::Call& call, int slot) {
  return call.batch == 0 ? caller_of(*apis_.singles, echoes_, call, slot)
                         : caller_of(*apis_.batches, batch_echoes_, call, slot);
}

// Slots are requested in order; the first call.streams of them create the streams. Only the first call that shares
// streams may have more slots than streams.
template <typename T>
std::unique_ptr<stack::Caller> GrpcConn::caller_of(Api<T>& api, std::vector<std::unique_ptr<Echo<T>>>& echoes,
                                                   const stack::Call& call, int slot) {
  if (call.kind == stack::kind::kUnary) return api.unary(link_, call, slot);
  if (!stack::kind::shares_streams(call.kind)) return std::make_unique<StreamCaller<T>>(api, link_, call, slot);
  if (slot < call.streams) {
    echoes.push_back(std::make_unique<Echo<T>>(api, link_, call));
    return echoes.back()->caller(slot);
  }
  return echoes[static_cast<std::size_t>(slot % call.streams)]->caller(slot);
}

}  // namespace rpcbench::grpcpp
