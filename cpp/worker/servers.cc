#include "worker/servers.h"

#include <stdexcept>
#include <utility>

#include "payload/payload.h"
#include "permission/permission.h"
#include "stack/address.h"
#include "worker/security.h"

namespace rpcbench::worker {

using control::FaultError;
using control::refuse;

namespace {

// Checks the address here, because libraries parse addresses differently.
void check_address(const v1::Serve& c) {
  refuse(c.address().empty(), "serve.address", "it is empty");
  try {
    if (c.network() == "tcp") stack::Address::parse(c.address());
  } catch (const stack::Error& e) {
    throw FaultError("serve.address", e.failure().message);
  }
}

// Admits the callers that the permissions allow.
stack::Authorize guard_of(const v1::Serve& c) {
  if (!c.has_permissions()) return nullptr;
  refuse(c.security().mode() != "mtls", "serve.permissions",
         "with security " + c.security().mode() + " clients have no names: authorization needs mtls");
  const auto& in = c.permissions().in();
  const auto& not_in = c.permissions().not_in();
  try {
    const permission::Permissions permissions({in.begin(), in.end()}, {not_in.begin(), not_in.end()});
    return [permissions](const std::string* name) -> std::string {
      if (name == nullptr) return "the client's certificate has no rpcbench name";
      return permissions.allows(*name) ? "" : *name + " may not call this server";
    };
  } catch (const std::invalid_argument& e) {
    throw FaultError("serve.permissions", e.what());
  }
}

}  // namespace

std::shared_ptr<const std::string> ReplyPayloads::of(int64_t length) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(length);
  if (found != kept_.end()) return found->second;
  if (kept_.size() == kMaxLengths || bytes_ + length > kMaxBytes) {
    kept_.clear();
    bytes_ = 0;
  }
  auto made = std::make_shared<const std::string>(payload::of(kind_, seed_, static_cast<std::size_t>(length)));
  kept_.emplace(length, made);
  bytes_ += length;
  return made;
}

int64_t ReplyPayloads::kept_bytes() {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::unique_ptr<stack::Server> start_server(const v1::Serve& c, const Stacks& stacks) {
  refuse(c.has_program(), "serve.program", "this worker starts no programs");
  stack::Stack& stack = check::stack_of("serve", c.stack(), stacks);
  const stack::Info& info = stack.info();
  check::can("serve", info, info.serves);
  check::word("serve.network", info, c.network(), info.networks);
  check::word("serve.security.mode", info, c.security().mode(), info.securities);
  check::options("serve", info, values_of(c.options()), &stack::Option::server);
  check::payload("serve.payload", c.payload());
  refuse(c.has_limits(), "serve.limits", "this worker's servers have no limits but the bounds of all messages");
  refuse(c.has_store(), "serve.store", "this worker's servers have no store");
  refuse(c.ports() > 1, "serve.ports", "this worker's servers listen on one port");
  check_address(c);
  stack::ServeConfig config;
  config.network = c.network();
  config.address = c.address();
  config.keys = keys_of_server(c.security());
  config.authorize = guard_of(c);
  config.reply = [payloads = std::make_shared<ReplyPayloads>(c.payload(), c.seed())](int64_t n) {
    return payloads->of(n);
  };
  config.options = values_of(c.options());
  try {
    return stack.serve(config);
  } catch (const stack::Error& e) {
    const bool address = e.failure().code == stack::Code::kUnavailable;
    throw FaultError(address ? "serve.address" : "serve.options", e.failure().message);
  }
}

}  // namespace rpcbench::worker
