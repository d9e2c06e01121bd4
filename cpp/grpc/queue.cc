#include "grpc/queue.h"

#include <pthread.h>

namespace rpcbench::grpcpp {

Queues::Queues(int threads) : queues_(static_cast<std::size_t>(threads)) {
  for (grpc::CompletionQueue& queue : queues_) {
    threads_.emplace_back([&queue] {
      void* tag = nullptr;
      bool ok = false;
      while (queue.Next(&tag, &ok)) {
        static_cast<Tag*>(tag)->run(ok);
      }
    });
    pthread_setname_np(threads_.back().native_handle(), "rpcbench-queue");
  }
}

Queues::~Queues() {
  for (grpc::CompletionQueue& queue : queues_) {
    queue.Shutdown();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

}  // namespace rpcbench::grpcpp
