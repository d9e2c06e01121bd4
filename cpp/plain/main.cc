// Plain programs of the library, which record nothing. bench compares the worker's stacks with them.
//
// plain server callback|sync
//   serves until its input ends.
// plain client callback|async ADDRESS CONNECTIONS IN_FLIGHT SECONDS
//   makes empty unary calls in a closed loop, and warms up as long as it measures.
//
// The server prints "listening on HOST:PORT" and, at its end, "cpu_ns: " with its processor time. The client prints its
// calls per second after "qps: " and its processor time per call after "cpu_ns: ".

#include <grpcpp/grpcpp.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "benchmark.grpc.pb.h"

namespace {

using grpc::testing::BenchmarkService;
using grpc::testing::SimpleRequest;
using grpc::testing::SimpleResponse;

// Counts completed calls on a cache line that no other count shares.
struct alignas(64) Count {
  std::atomic<int64_t> calls = 0;
};

std::atomic<bool> over = false;
std::atomic<int> running = 0;

int64_t cpu_ns() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  const auto ns = [](const timeval& t) { return t.tv_sec * INT64_C(1'000'000'000) + t.tv_usec * INT64_C(1000); };
  return ns(used.ru_utime) + ns(used.ru_stime);
}

// Makes one unary call after another, by callbacks or, with a queue, by tags that its thread passes to finish.
class Loop {
 public:
  Loop(BenchmarkService::Stub& stub, grpc::CompletionQueue* queue, Count& count)
      : stub_(stub), queue_(queue), count_(count) {
    request_.mutable_payload();  // empty, but sent, as a benchmark's message is
  }

  void next() {
    context_ = std::make_unique<grpc::ClientContext>();
    if (queue_ == nullptr) {
      stub_.async()->UnaryCall(context_.get(), &request_, &response_,
                               [this](const grpc::Status& status) { finish(status); });
      return;
    }
    reader_ = stub_.PrepareAsyncUnaryCall(context_.get(), request_, queue_);
    reader_->StartCall();
    reader_->Finish(&response_, &status_, this);
  }

  void finish() {
    reader_.reset();  // its memory is the call's, which the context owns
    finish(status_);
  }

 private:
  void finish(const grpc::Status& status) {
    if (status.ok()) count_.calls.fetch_add(1, std::memory_order_relaxed);
    if (over.load(std::memory_order_relaxed)) {
      running.fetch_sub(1);
    } else {
      next();
    }
  }

  BenchmarkService::Stub& stub_;
  grpc::CompletionQueue* queue_;
  Count& count_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<SimpleResponse>> reader_;
  SimpleRequest request_;
  SimpleResponse response_;
  grpc::Status status_;
};

// Completion queues, each with a thread.
class Queues {
 public:
  explicit Queues(std::size_t size) : queues_(size) {
    for (grpc::CompletionQueue& queue : queues_) {
      threads_.emplace_back([&queue] {
        void* tag = nullptr;
        bool ok = false;
        while (queue.Next(&tag, &ok)) {
          static_cast<Loop*>(tag)->finish();
        }
      });
    }
  }

  ~Queues() {
    for (grpc::CompletionQueue& queue : queues_) {
      queue.Shutdown();
    }
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

  // Returns the queue of a connection, or null without queues.
  grpc::CompletionQueue* of(std::size_t connection) {
    return queues_.empty() ? nullptr : &queues_[connection % queues_.size()];
  }

 private:
  std::vector<grpc::CompletionQueue> queues_;
  std::vector<std::thread> threads_;
};

int64_t sum(const std::vector<Count>& counts) {
  int64_t all = 0;
  for (const Count& count : counts) {
    all += count.calls.load();
  }
  return all;
}

// Measures the calls that are already running, after a warm-up of the same length.
void measure(const std::vector<Count>& counts, std::chrono::seconds length) {
  std::this_thread::sleep_for(length);
  const int64_t calls = sum(counts);
  const int64_t cpu = cpu_ns();
  const auto begun = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(length);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  const int64_t made = sum(counts) - calls;
  std::cout << "qps: " << static_cast<double>(made) / took.count()
            << "\ncpu_ns: " << (made > 0 ? (cpu_ns() - cpu) / made : 0) << std::endl;
  over.store(true);
  while (running.load() > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::unique_ptr<BenchmarkService::Stub> stub_of(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // each channel opens a socket
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  return BenchmarkService::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
}

int client(bool async, const std::string& address, int connections, int in_flight, std::chrono::seconds length) {
  std::vector<std::unique_ptr<BenchmarkService::Stub>> stubs;
  for (int i = 0; i < connections; ++i) {
    stubs.push_back(stub_of(address));
  }
  const auto loops = static_cast<std::size_t>(connections * in_flight);
  std::vector<Count> counts(loops);
  std::vector<std::unique_ptr<Loop>> all;
  Queues queues(async ? std::max(1U, std::thread::hardware_concurrency()) : 0);
  running.store(connections * in_flight);
  for (std::size_t i = 0; i < loops; ++i) {
    const std::size_t connection = i % stubs.size();
    all.push_back(std::make_unique<Loop>(*stubs[connection], queues.of(connection), counts[i]));
    all.back()->next();
  }
  measure(counts, length);
  return 0;
}

void answer(const SimpleRequest& request, SimpleResponse& response) {
  if (request.payload().body().size() == static_cast<std::size_t>(request.response_size())) {
    response.mutable_payload()->set_body(request.payload().body());
  } else {
    response.mutable_payload()->set_body(std::string(static_cast<std::size_t>(request.response_size()), '\0'));
  }
}

class CallbackEcho final : public BenchmarkService::CallbackService {
  grpc::ServerUnaryReactor* UnaryCall(grpc::CallbackServerContext* context, const SimpleRequest* request,
                                      SimpleResponse* response) override {
    answer(*request, *response);
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

class SyncEcho final : public BenchmarkService::Service {
  grpc::Status UnaryCall(grpc::ServerContext*, const SimpleRequest* request, SimpleResponse* response) override {
    answer(*request, *response);
    return grpc::Status::OK;
  }
};

int serve(const std::string& api) {
  CallbackEcho callback;
  SyncEcho sync;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(api == "sync" ? static_cast<grpc::Service*>(&sync) : &callback);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return 1;
  std::cout << "listening on 127.0.0.1:" << port << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  std::cout << "cpu_ns: " << cpu_ns() << std::endl;
  server->Shutdown(std::chrono::system_clock::now());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "server") return serve(words[1]);
  if (words.size() == 6 && words[0] == "client") {
    return client(words[1] == "async", words[2], std::stoi(words[3]), std::stoi(words[4]),
                  std::chrono::seconds(std::stoi(words[5])));
  }
  std::cerr << "plain server callback|sync, or plain client callback|async ADDRESS CONNECTIONS IN_FLIGHT SECONDS\n";
  return 2;
}
