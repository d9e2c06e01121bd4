// Computes responses, for both of the library's server APIs.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "grpc/messages.h"
#include "stack/stack.h"

namespace rpcbench::grpcpp {

class Responder {
 public:
  explicit Responder(const stack::ServeConfig& config)
      : reply_(config.reply), authorize_(config.authorize), arena_(wants_arena(config)) {}

  // Reports whether messages are allocated on an arena.
  bool arena() const { return arena_; }

  // Checks whether the client may call. A response is compressed if its request was.
  grpc::Status admit(grpc::ServerContextBase& context) const;

  // Fills in the response to a request, or returns the status that the request asks for.
  grpc::Status respond(const Singles::Request& request, Singles::Response& response) const;
  grpc::Status respond(const Batches::Request& request, Batches::Response& response) const;

 private:
  static bool wants_arena(const stack::ServeConfig& config);

  const std::function<std::shared_ptr<const std::string>(int64_t)> reply_;
  const stack::Authorize authorize_;
  const bool arena_;
};

// Returns the payload bytes of a response, operation ids included.
int64_t bytes_of(const Singles::Response& response);
int64_t bytes_of(const Batches::Response& response);

// Returns the status of a burst that is too large for a server to hold.
grpc::Status too_long(int64_t burst);

// Reads a number of messages, from min to max, from a call's metadata; count is −1 if it is absent. Returns an error
// status if it is invalid.
grpc::Status count_in(const grpc::ServerContextBase& context, const char* key, int64_t min, int64_t max,
                      int64_t& count);

// Reads the metadata of a download or both_ways, and of a burst, whose default is 1.
grpc::Status messages_in(const grpc::ServerContextBase& context, int64_t& count);
grpc::Status burst_in(const grpc::ServerContextBase& context, int64_t& count);

}  // namespace rpcbench::grpcpp
