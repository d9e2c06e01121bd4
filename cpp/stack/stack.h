// The contract between the worker and an RPC implementation.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stack/call.h"
#include "stack/caller.h"

namespace rpcbench::stack {

// A setting of one stack, given as a string and refused where it is unknown or can't be read.
struct Option {
  std::string name;  // units last
  std::string help;  // one sentence with the unit and the default
  bool client = false;
  bool server = false;
};

using OptionValues = std::map<std::string, std::string>;

// What a stack is and can do, in the words of worker.v1's StackInfo.
struct Info {
  std::string name;
  std::string protocol;
  std::string library;  // what it measures, with the version that runs
  bool serves = false;
  bool calls = false;
  std::vector<std::string> kinds;
  std::vector<std::string> networks;
  std::vector<std::string> securities;
  std::vector<std::string> compressions;
  bool multiplexed = false;
  std::vector<Option> options;
};

// The keys of one side, in PEM.
struct Keys {
  std::string ca;
  std::string cert;
  std::string key;
  std::string server_name;  // that the client expects
  bool mutual = false;
};

// Reports whether the client of that name may call: why not, one sentence; empty lets it in. Null names nobody.
using Authorize = std::function<std::string(const std::string* name)>;

// What a server needs.
struct ServeConfig {
  std::string network;
  std::string address;
  std::shared_ptr<const Keys> keys;  // null is plaintext
  Authorize authorize;               // empty lets everybody in
  // Returns the payload of a reply of n bytes whose request had another size.
  std::function<std::shared_ptr<const std::string>(int64_t n)> reply;
  OptionValues options;
};

// What a connection needs.
struct DialConfig {
  std::string network;
  std::string address;
  std::shared_ptr<const Keys> keys;  // null is plaintext
  std::string compression;
  int64_t reply_bytes_most = 0;  // of one message received
  OptionValues options;
};

// Answers calls until it is stopped.
class Server {
 public:
  virtual ~Server() = default;
  virtual std::string address() const = 0;
  // Ends listening, waits so long for the calls in flight, then closes what is left.
  virtual void stop(int64_t grace_ns) = 0;
};

// One connection. What it made must not outlive it.
class Conn {
 public:
  virtual ~Conn() = default;

  // Makes the Caller of one slot, from 0. Slots are asked for in order, and all of one call before the next call's.
  virtual std::unique_ptr<Caller> caller(const Call& call, int slot) = 0;

  // Returns when it is ready for a call; throws Error where that can't be, or where ended turns true.
  virtual void ready(int64_t patience_ns, const std::atomic<bool>& ended) = 0;
};

// One RPC implementation. Its methods may be called concurrently. It is asked for nothing that its Info does not name:
// the worker has checked that, so that a stack reads only its options' values and addresses. It throws Error.
class Stack {
 public:
  virtual ~Stack() = default;
  virtual const Info& info() const = 0;
  virtual std::unique_ptr<Server> serve(const ServeConfig& config) = 0;
  // Opens a connection, which connects in ready, or with the first call.
  virtual std::unique_ptr<Conn> dial(const DialConfig& config) = 0;
};

}  // namespace rpcbench::stack
