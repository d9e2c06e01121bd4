// Completion queues and the threads that poll them.
#pragma once

#include <grpcpp/completion_queue.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace rpcbench::grpcpp {

// Handles a completion.
class Tag {
 public:
  virtual void run(bool ok) = 0;

 protected:
  ~Tag() = default;
};

// One queue per thread, as in gRPC's own benchmarks.
class Queues {
 public:
  explicit Queues(int threads);
  Queues(const Queues&) = delete;
  Queues& operator=(const Queues&) = delete;

  // Blocks until everything started on the queues is complete. It must not run on one of their threads.
  ~Queues();

  // Returns the queue for the next connection, in turn.
  grpc::CompletionQueue& next() { return queues_[turn_.fetch_add(1) % queues_.size()]; }

 private:
  std::vector<grpc::CompletionQueue> queues_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> turn_ = 0;
};

}  // namespace rpcbench::grpcpp
