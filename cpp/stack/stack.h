// The contract between the worker and an RPC implementation.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stack/call.h"
#include "stack/caller.h"
#include "stack/option.h"

namespace rpcbench::stack {

// The properties of a stack, as in worker.v1's StackInfo.
struct Info {
  std::string name;
  std::string protocol;
  std::string library;  // name and version of the library
  bool serves = false;
  bool calls = false;
  std::vector<std::string> kinds;
  std::vector<std::string> networks;
  std::vector<std::string> securities;
  std::vector<std::string> compressions;
  bool multiplexed = false;
  std::vector<Option> options;
};

// The keys of a server or client, in PEM.
struct Keys {
  std::string ca;
  std::string cert;
  std::string key;
  std::string server_name;  // expected by the client
  bool mutual = false;
};

// Returns why the client with that name may not call, in one sentence; empty if it may. name is null for an unnamed
// client.
using Authorize = std::function<std::string(const std::string* name)>;

// The configuration of a server.
struct ServeConfig {
  std::string network;
  std::string address;
  std::shared_ptr<const Keys> keys;  // null means plaintext
  Authorize authorize;               // null admits everybody
  // Returns the payload of a reply with n bytes, if the request has a different size.
  std::function<std::shared_ptr<const std::string>(int64_t n)> reply;
  OptionValues options;
};

// The configuration of a connection.
struct DialConfig {
  std::string network;
  std::string address;
  std::shared_ptr<const Keys> keys;  // null means plaintext
  std::string compression;
  int64_t max_reply_bytes = 0;  // per message
  OptionValues options;
};

// Serves calls until it is stopped.
class Server {
 public:
  virtual ~Server() = default;
  virtual std::string address() const = 0;
  // Stops listening, waits up to grace_ns for calls in flight, then closes the rest.
  virtual void stop(int64_t grace_ns) = 0;
};

// A connection. It must outlive everything that it made.
class Conn {
 public:
  virtual ~Conn() = default;

  // Makes the Caller of a slot. Slots are requested in order from 0, all of one call before those of the next.
  virtual std::unique_ptr<Caller> caller(const Call& call, int slot) = 0;

  // Begins to connect, and returns at once. What ready and calls do is the same without it.
  virtual void begin() {}

  // Returns when the connection is ready for a call; throws Error on failure, or if ended becomes true.
  virtual void ready(int64_t timeout_ns, const std::atomic<bool>& ended) = 0;
};

// An RPC implementation. Safe for concurrent use. The worker requests only what Info names, so a stack validates only
// option values and addresses. Methods throw Error.
class Stack {
 public:
  virtual ~Stack() = default;
  virtual const Info& info() const = 0;
  virtual std::unique_ptr<Server> serve(const ServeConfig& config) = 0;
  // Creates a connection, which connects in begin, ready or with the first call.
  virtual std::unique_ptr<Conn> dial(const DialConfig& config) = 0;
};

}  // namespace rpcbench::stack
