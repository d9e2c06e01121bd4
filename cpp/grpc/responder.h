// What the methods of a server answer with, whichever of the library's interfaces serves them.
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

  // Whether the messages of a call live on an arena.
  bool arena() const { return arena_; }

  // Begins a call: the client may not be let in. A compressed request is answered alike.
  grpc::Status admit(grpc::ServerContextBase& context) const;

  // Makes the answer to a request, or returns the status that it asks for.
  grpc::Status respond(const Singles::Request& request, Singles::Answer& answer) const;
  grpc::Status respond(const Batches::Request& request, Batches::Answer& answer) const;

 private:
  static bool wants_arena(const stack::ServeConfig& config);

  const std::function<std::shared_ptr<const std::string>(int64_t)> reply_;
  const stack::Authorize authorize_;
  const bool arena_;
};

// The payload of an answer, ids of operations included.
int64_t bytes_of(const Singles::Answer& answer);
int64_t bytes_of(const Batches::Answer& answer);

// The end of a burst that a server can't hold.
grpc::Status too_long(int64_t burst);

// A number of messages that the metadata of a call says, from least to most; otherwise −1 where it says none. What is
// no such number is the call's status.
grpc::Status count_in(const grpc::ServerContextBase& context, const char* key, int64_t least, int64_t most,
                      int64_t& count);

// The same of a download or of both_ways, and of a burst, which is 1 without the metadata.
grpc::Status messages_in(const grpc::ServerContextBase& context, int64_t& count);
grpc::Status burst_in(const grpc::ServerContextBase& context, int64_t& count);

}  // namespace rpcbench::grpcpp
