// Plain programs of the library, which record nothing: what the worker's stacks are compared with in bench.
//
//	plain server callback|sync                                       prints "listening on HOST:PORT", ends with its
//input 	plain client callback|async ADDRESS CONNECTIONS IN_FLIGHT SECONDS   warms up as long as it measures
//
// A client makes unary calls of no bytes in a closed loop. Each prints "cpu_ns: " and its processor time, the client
// per call and the server in all, and the client "qps: ".

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

// Calls that are done, counted without a line of memory that all share.
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

// One call after another, by callbacks.
class CallbackLoop {
 public:
  CallbackLoop(BenchmarkService::Stub& stub, Count& count) : stub_(stub), count_(count) {}

  void next() {
    context_ = std::make_unique<grpc::ClientContext>();
    stub_.async()->UnaryCall(context_.get(), &request_, &response_, [this](const grpc::Status& status) {
      if (status.ok()) count_.calls.fetch_add(1, std::memory_order_relaxed);
      if (over.load(std::memory_order_relaxed)) {
        running.fetch_sub(1);
      } else {
        next();
      }
    });
  }

 private:
  BenchmarkService::Stub& stub_;
  Count& count_;
  std::unique_ptr<grpc::ClientContext> context_;
  SimpleRequest request_;
  SimpleResponse response_;
};

// The same by a completion queue.
class AsyncLoop {
 public:
  AsyncLoop(BenchmarkService::Stub& stub, grpc::CompletionQueue& queue, Count& count)
      : stub_(stub), queue_(queue), count_(count) {}

  void next() {
    context_ = std::make_unique<grpc::ClientContext>();
    reader_ = stub_.PrepareAsyncUnaryCall(context_.get(), request_, &queue_);
    reader_->StartCall();
    reader_->Finish(&response_, &status_, this);
  }

  void done() {
    if (status_.ok()) count_.calls.fetch_add(1, std::memory_order_relaxed);
    if (over.load(std::memory_order_relaxed)) {
      running.fetch_sub(1);
    } else {
      next();
    }
  }

 private:
  BenchmarkService::Stub& stub_;
  grpc::CompletionQueue& queue_;
  Count& count_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<SimpleResponse>> reader_;
  SimpleRequest request_;
  SimpleResponse response_;
  grpc::Status status_;
};

int64_t sum(const std::vector<Count>& counts) {
  int64_t all = 0;
  for (const Count& count : counts) {
    all += count.calls.load();
  }
  return all;
}

// Measures what runs already.
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

int client(const std::string& api, const std::string& address, int connections, int in_flight,
           std::chrono::seconds length) {
  std::vector<std::unique_ptr<BenchmarkService::Stub>> stubs;
  for (int i = 0; i < connections; ++i) {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    own.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
    stubs.push_back(
        BenchmarkService::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), own)));
  }
  const int loops = connections * in_flight;
  std::vector<Count> counts(static_cast<std::size_t>(loops));
  running.store(loops);
  if (api == "callback") {
    std::vector<std::unique_ptr<CallbackLoop>> all;
    for (int i = 0; i < loops; ++i) {
      all.push_back(std::make_unique<CallbackLoop>(*stubs[static_cast<std::size_t>(i % connections)],
                                                   counts[static_cast<std::size_t>(i)]));
      all.back()->next();
    }
    measure(counts, length);
    return 0;
  }
  std::vector<grpc::CompletionQueue> queues(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (grpc::CompletionQueue& queue : queues) {
    threads.emplace_back([&queue] {
      void* tag = nullptr;
      bool ok = false;
      while (queue.Next(&tag, &ok)) {
        static_cast<AsyncLoop*>(tag)->done();
      }
    });
  }
  std::vector<std::unique_ptr<AsyncLoop>> all;
  for (int i = 0; i < loops; ++i) {
    const auto connection = static_cast<std::size_t>(i % connections);
    all.push_back(std::make_unique<AsyncLoop>(*stubs[connection], queues[connection % queues.size()],
                                              counts[static_cast<std::size_t>(i)]));
    all.back()->next();
  }
  measure(counts, length);
  for (grpc::CompletionQueue& queue : queues) {
    queue.Shutdown();
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
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
    return client(words[1], words[2], std::stoi(words[3]), std::stoi(words[4]),
                  std::chrono::seconds(std::stoi(words[5])));
  }
  std::cerr << "plain server callback|sync, or plain client callback|async ADDRESS CONNECTIONS IN_FLIGHT SECONDS\n";
  return 2;
}
