// Carries out Commands.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "control/pipe.h"
#include "stack/stack.h"
#include "worker.pb.h"
#include "worker/check.h"
#include "worker/client.h"
#include "worker/evidence.h"
#include "worker/phases.h"

namespace rpcbench::worker {

// For one thread. The worker is a server after Serve and a client after Connect.
class Conversation {
 public:
  Conversation(const Stacks& stacks, control::EventWriter& events, const std::atomic<bool>& ended);

  // Stops everything that runs, within the five seconds that the protocol allows.
  ~Conversation();

  // Carries out a command and answers it, except a phase, which answers when it is over.
  void obey(const v1::Command& command);

 private:
  bool answer(const v1::Command& command, v1::Event& event);
  void serve(const v1::Serve& command, v1::Serving& serving);
  void connect(const v1::Connect& command, v1::Connected& connected);
  void leave();
  bool holds_lost_calls() const;  // what such a call uses can't be freed
  void await_closed() const;
  void begin(const v1::Begin& command);
  void check_free(const std::string& command) const;

  const Stacks& stacks_;
  control::EventWriter& events_;
  const std::atomic<bool>& ended_;
  const int64_t started_ns_;
  Evidence evidence_;
  std::unique_ptr<stack::Server> server_;  // null before Serve
  std::unique_ptr<Client> client_;         // of the last Connect; null before one, and if it failed
  std::unique_ptr<Phases> phases_;         // null like client_, and once the client is left
};

}  // namespace rpcbench::worker
