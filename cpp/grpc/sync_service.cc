#include "grpc/sync_service.h"

#include <atomic>
#include <thread>
#include <utility>

#include "grpc/holder.h"
#include "stack/bounds.h"

namespace rpcbench::grpcpp {
namespace {

template <typename T>
using Streams = grpc::ServerReaderWriter<typename T::Response, typename T::Request>;

template <typename Request, typename Response>
grpc::Status answer(grpc::ServerContext& context, const Responder& responder, const Request& request,
                    Response& response) {
  const grpc::Status admitted = responder.admit(context);
  return admitted.ok() ? responder.respond(request, response) : admitted;
}

// Collects the responses to a burst, then writes them. Returns false if the stream is over.
template <typename T>
bool answer_burst(Streams<T>& stream, const Responder& responder, int64_t burst, grpc::Status& status) {
  std::vector<typename T::Response> held;
  typename T::Request request;
  int64_t bytes = 0;
  while (static_cast<int64_t>(held.size()) < burst) {
    if (!stream.Read(&request)) return false;
    held.emplace_back();
    status = responder.respond(request, held.back());
    if (!status.ok()) return false;
    bytes += bytes_of(held.back());
    if (bytes > stack::kMaxMessageBytes) {
      status = too_long(burst);
      return false;
    }
  }
  for (const auto& response : held) {
    if (!stream.Write(response)) return false;
  }
  return true;
}

// Answers every message of a stream, like CallbackEcho.
template <typename T>
grpc::Status echo(grpc::ServerContext& context, const Responder& responder, Streams<T>& stream) {
  int64_t burst = 1;
  grpc::Status status = responder.admit(context);
  if (status.ok()) status = burst_in(context, burst);
  if (!status.ok()) return status;
  if (burst > 1) {
    while (answer_burst<T>(stream, responder, burst, status)) {
    }
    return status;
  }
  Holder<typename T::Request> request(responder.arena());
  Holder<typename T::Response> reply(responder.arena());
  while (stream.Read(&request.fresh())) {
    status = responder.respond(request.get(), reply.fresh());
    if (!status.ok()) return status;
    if (!stream.Write(reply.get())) break;
  }
  return status;
}

// Answers the last message after the client half-closes.
template <typename T>
grpc::Status last(grpc::ServerContext& context, const Responder& responder,
                  grpc::ServerReader<typename T::Request>& reader, typename T::Response& reply) {
  const grpc::Status admitted = responder.admit(context);
  if (!admitted.ok()) return admitted;
  typename T::Request now;
  typename T::Request before;
  while (reader.Read(&now)) {
    std::swap(now, before);
  }
  return responder.respond(before, reply);
}

class SyncBenchmark final : public Singles::Service::Service {
 public:
  explicit SyncBenchmark(const Responder& responder) : responder_(responder) {}

  grpc::Status UnaryCall(grpc::ServerContext* context, const Singles::Request* request,
                         Singles::Response* reply) override {
    return answer(*context, responder_, *request, *reply);
  }

  grpc::Status StreamingCall(grpc::ServerContext* context, Streams<Singles>* stream) override {
    return echo<Singles>(*context, responder_, *stream);
  }

  grpc::Status StreamingFromClient(grpc::ServerContext* context, grpc::ServerReader<Singles::Request>* reader,
                                   Singles::Response* reply) override {
    return last<Singles>(*context, responder_, *reader, *reply);
  }

  grpc::Status StreamingFromServer(grpc::ServerContext* context, const Singles::Request* request,
                                   grpc::ServerWriter<Singles::Response>* writer) override {
    int64_t left = -1;
    Singles::Response reply;
    grpc::Status status = responder_.admit(*context);
    if (status.ok()) status = messages_in(*context, left);
    if (status.ok()) status = responder_.respond(*request, reply);
    for (; status.ok() && left != 0 && writer->Write(reply); left -= left > 0 ? 1 : 0) {
    }
    return status;
  }

  // Sends on a separate thread, so that it can receive meanwhile.
  grpc::Status StreamingBothWays(grpc::ServerContext* context, Streams<Singles>* stream) override {
    int64_t count = -1;
    grpc::Status status = responder_.admit(*context);
    if (status.ok()) status = messages_in(*context, count);
    Singles::Request request;
    if (!status.ok() || !stream->Read(&request)) return status;
    Singles::Response reply;
    status = responder_.respond(request, reply);
    if (!status.ok()) return status;
    std::atomic<bool> received = false;
    std::thread sender([&] {
      for (int64_t left = count; left != 0 && (left > 0 || !received.load()) && stream->Write(reply);
           left -= left > 0 ? 1 : 0) {
      }
    });
    while (stream->Read(&request)) {
    }
    received.store(true);
    sender.join();
    return grpc::Status::OK;
  }

 private:
  const Responder& responder_;
};

class SyncBatch final : public Batches::Service::Service {
 public:
  explicit SyncBatch(const Responder& responder) : responder_(responder) {}

  grpc::Status Unary(grpc::ServerContext* context, const Batches::Request* request, Batches::Response* reply) override {
    return answer(*context, responder_, *request, *reply);
  }

  grpc::Status Stream(grpc::ServerContext* context, Streams<Batches>* stream) override {
    return echo<Batches>(*context, responder_, *stream);
  }

  grpc::Status Upload(grpc::ServerContext* context, grpc::ServerReader<Batches::Request>* reader,
                      Batches::Response* reply) override {
    return last<Batches>(*context, responder_, *reader, *reply);
  }

 private:
  const Responder& responder_;
};

}  // namespace

std::vector<std::unique_ptr<grpc::Service>> sync_services(const Responder& responder) {
  std::vector<std::unique_ptr<grpc::Service>> services;
  services.push_back(std::make_unique<SyncBenchmark>(responder));
  services.push_back(std::make_unique<SyncBatch>(responder));
  return services;
}

}  // namespace rpcbench::grpcpp
