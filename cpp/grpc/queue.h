// Completion queues, and the threads that take events off them.
#pragma once

#include <grpcpp/completion_queue.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace rpcbench::grpcpp {

// What is over, as a completion queue tells it.
class Tag {
 public:
  virtual void run(bool ok) = 0;

 protected:
  ~Tag() = default;
};

// One queue for each thread, as gRPC's own benchmarks have it.
class Queues {
 public:
  explicit Queues(int threads);
  Queues(const Queues&) = delete;
  Queues& operator=(const Queues&) = delete;

  // Ends when all that was begun on them is over, on another thread than theirs.
  ~Queues();

  // The queue of the next connection, in turn.
  grpc::CompletionQueue& next() { return queues_[turn_.fetch_add(1) % queues_.size()]; }

 private:
  std::vector<grpc::CompletionQueue> queues_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> turn_ = 0;
};

}  // namespace rpcbench::grpcpp
